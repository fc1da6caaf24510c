#include "launch/child_process.hpp"

#include "core/deadline.hpp"
#include "core/error.hpp"
#include "launch/child_environment.hpp"
#include "launch/rank_watch.hpp"
#include "launch/signal_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace viaduct {

namespace {

void check_setup(int error_number, const char* call) {
  if (error_number != 0) {
    throw Error(ErrorKind::internal,
                fmt::format("{}: {}", call, std::generic_category().message(error_number)));
  }
}

class FileActions {
 public:
  FileActions() { check_setup(::posix_spawn_file_actions_init(&actions_), "file_actions_init"); }

  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() { check_setup(::posix_spawnattr_init(&attributes_), "spawnattr_init"); }

  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }

  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// posix_spawn takes char* but does not write to the texts.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Own process group, the mask of before, default actions for what launchers handle themselves.
void set_attributes(Attributes& attributes, const SignalWatch& signals) {
  sigset_t defaults;
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE, SIGQUIT}) {
    ::sigaddset(&defaults, signal);
  }
  check_setup(
      ::posix_spawnattr_setflags(
          attributes.get(), POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF),
      "spawnattr_setflags");
  check_setup(::posix_spawnattr_setpgroup(attributes.get(), 0), "spawnattr_setpgroup");
  check_setup(::posix_spawnattr_setsigmask(attributes.get(), &signals.mask_before()),
              "spawnattr_setsigmask");
  check_setup(::posix_spawnattr_setsigdefault(attributes.get(), &defaults),
              "spawnattr_setsigdefault");
}

pid_t spawn(const LaunchLine& line, const SignalWatch& signals) {
  std::vector<std::string> words = line.words;
  if (words.empty()) {
    throw Error(ErrorKind::internal, "a launch line without a word");
  }
  std::vector<std::string> entries = child_environment(environ, line);
  FileActions actions;
  check_setup(
      ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0),
      "file_actions_addopen");
  Attributes attributes;
  set_attributes(attributes, signals);
  pid_t pid = -1;
  const int error_number = ::posix_spawnp(&pid,
                                          words.front().c_str(),
                                          actions.get(),
                                          attributes.get(),
                                          pointers_to(words).data(),
                                          pointers_to(entries).data());
  if (error_number != 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "cannot start '{}': {}", words.front(), std::generic_category().message(error_number)));
  }
  return pid;
}

int exit_code_of(int status) {
  constexpr int signalled = 128;
  return WIFSIGNALED(status) ? signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

/// One child from its start to its end. Not ended by then (an exception): its group is killed.
class Child {
 public:
  Child(const LaunchLine& line, const ChildLimits& limits)
      : limits_(limits),
        program_(line.words.empty() ? "" : line.words.front()),
        end_signal_(line.end_signal) {
    pid_ = spawn(line, signals_);
    tell_guard(pid_);
    if (limits.limit_s > 0) {
      next_step_ = Deadline::after(limits.limit_s);
    }
  }

  ~Child() {
    if (!has_ended_) {
      ::kill(-pid_, SIGKILL);
    }
  }

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ChildOutcome wait() {
    while (!poll_end()) {
      const int signal = signals_.wait(time_to_wait());
      if (signal != 0 && signal != SIGCHLD && outcome_.passed_signal == 0) {
        outcome_.passed_signal = signal;
        end_softly();
      } else if (next_step_ && next_step_->has_passed() && !poll_end()) {
        take_next_step();
      } else if (phase_ == Phase::running && outlives_ranks()) {
        outcome_.hung = true;
        end_softly();
      }
    }
    return outcome_;
  }

 private:
  enum class Phase { running, asked_to_end, asked_again, killed };

  void tell_guard(pid_t group) {
    if (limits_.guard != nullptr) {
      limits_.guard->watch_group(group);
    }
  }

  bool poll_end() {
    int status = 0;
    if (!has_ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
      has_ended_ = true;
      tell_guard(0);
      outcome_.exit_code = exit_code_of(status);
      if (phase_ != Phase::running) {
        // What the launcher left behind in its group must not run on beside the next launch.
        ::kill(-pid_, SIGKILL);
      }
    }
    return has_ended_;
  }

  /// Never long: the end of the child is seen even when SIGCHLD went to another thread.
  [[nodiscard]] double time_to_wait() const {
    constexpr double longest_s = 0.2;
    return next_step_ ? std::min(next_step_->seconds_left(), longest_s) : longest_s;
  }

  void end_softly() {
    if (phase_ != Phase::running) {
      return;
    }
    phase_ = Phase::asked_to_end;
    ::kill(-pid_, end_signal_);
    kill_at_ = Deadline::after(limits_.grace_s);
    next_step_ = kill_at_->earlier(Deadline::after(limits_.repeat_s));
  }

  /// The ranks ended a while ago, and the child is still there.
  bool outlives_ranks() {
    if (!next_look_.has_passed()) {
      return false;
    }
    next_look_ = Deadline::after(limits_.look_s);
    if (!ranks_.ranks_have_ended(pid_)) {
      hung_at_.reset();
      return false;
    }
    if (!hung_at_) {
      hung_at_ = Deadline::after(limits_.hung_s);
    }
    return hung_at_->has_passed();
  }

  void take_next_step() {
    if (phase_ == Phase::running) {
      outcome_.timed_out = true;
      end_softly();
    } else if (phase_ == Phase::asked_to_end && !kill_at_->has_passed()) {
      phase_ = Phase::asked_again;
      ::kill(-pid_, SIGTERM);
      next_step_ = kill_at_;
    } else if (phase_ != Phase::killed) {
      phase_ = Phase::killed;
      ::kill(-pid_, SIGKILL);
      next_step_ = Deadline::after(limits_.killed_s);
    } else {
      throw Error(ErrorKind::lost,
                  fmt::format("'{}' (process {}) did not end within {} s after SIGKILL",
                              program_,
                              pid_,
                              limits_.killed_s));
    }
  }

  ChildLimits limits_;
  std::string program_;
  int end_signal_;
  SignalWatch signals_;
  pid_t pid_ = -1;
  Phase phase_ = Phase::running;
  bool has_ended_ = false;
  std::optional<Deadline> next_step_;
  std::optional<Deadline> kill_at_;
  std::optional<Deadline> hung_at_;
  Deadline next_look_ = Deadline::after(limits_.look_s);
  RankWatch ranks_;
  ChildOutcome outcome_;
};

}  // namespace

ChildOutcome run_child(const LaunchLine& line, const ChildLimits& limits) {
  return Child(line, limits).wait();
}

ChildOutcome run_child(const LaunchLine& line, double limit_s) {
  ChildLimits limits;
  limits.limit_s = limit_s;
  return run_child(line, limits);
}

}  // namespace viaduct
