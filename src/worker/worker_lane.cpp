#include "worker/worker_lane.hpp"

#include "core/error.hpp"
#include "worker/log_tail.hpp"
#include "worker/ras_client.hpp"
#include "worker/shared_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <poll.h>
#include <span>
#include <sys/socket.h>
#include <utility>

namespace viaduct {

namespace {

constexpr double slice_seconds = 0.1;
constexpr double end_seconds = 2.0;
constexpr double maps_seconds = 1.0;
constexpr double ras_seconds = 2.0;
constexpr std::size_t ras_lines = 8;
constexpr std::size_t log_lines = 5;
constexpr std::size_t warning_lines = 3;
constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

/// Reading goes round by way of the deadline after this much, whatever the worker sends.
constexpr std::size_t most_bytes_at_once = std::size_t{1024} * 1024;

/// Requests and their replies stand in the same order in the variants; Close and Quit, the last
/// two, share Done.
constexpr std::size_t done_index = Reply(std::in_place_type<Done>).index();
static_assert(Request(std::in_place_type<CloseRequest>).index() == done_index);
static_assert(Request(std::in_place_type<QuitRequest>).index() == done_index + 1);

std::string ras_address_in(const std::map<std::string, std::string>& environment) {
  const auto found = environment.find("NCCL_RAS_ADDR");
  return found == environment.end() ? "" : found->second;
}

}  // namespace

WorkerLane::WorkerLane(std::string path, const WorkerStart& start, std::string nccl_log)
    : path_(std::move(path)),
      output_file_(start.output_file),
      ras_address_(ras_address_in(start.environment)),
      nccl_log_(std::move(nccl_log)),
      process_(start),
      network_(nccl_log_) {}

WorkerLane::~WorkerLane() {
  if (has_quit_) {
    process_.wait(Deadline::after(end_seconds));
  }
}

void WorkerLane::start(const Request& request) {
  require_alive();
  if (!phase_.empty()) {
    throw Error(
        ErrorKind::internal,
        fmt::format(
            "lane {}: request {} while {} is under way", path_, viaduct::phase(request), phase_));
  }
  receive_some();
  if (reader_.pending_bytes() != 0) {
    // Its next reply would be taken for one to another request from here on.
    lose(fmt::format("sent {} bytes that nobody asked for", reader_.pending_bytes()));
  }
  outgoing_ = make_frame(encode(request));
  sent_ = 0;
  phase_ = viaduct::phase(request);
  reply_index_ = std::min(request.index(), done_index);
  has_quit_ = std::holds_alternative<QuitRequest>(request);
  started_ = std::chrono::steady_clock::now();
  next_question_ = Deadline::after(slice_seconds);
  send_some();
}

Reply WorkerLane::finish(Deadline deadline, const Abandon& abandon) {
  while (true) {
    if (std::optional<Reply> reply = try_finish(deadline, abandon)) {
      return std::move(*reply);
    }
    wait_for_socket(deadline.earlier(next_question_));
  }
}

std::optional<Reply> WorkerLane::try_finish(Deadline deadline, const Abandon& abandon) {
  require_request();
  std::optional<Reply> reply = look_for_reply(deadline, abandon);
  if (reply) {
    settle(*reply);
  }
  return reply;
}

void WorkerLane::require_request() const {
  require_alive();
  if (phase_.empty()) {
    throw Error(ErrorKind::internal, fmt::format("lane {}: no request is under way", path_));
  }
}

void WorkerLane::kill() noexcept {
  alive_ = false;
  has_quit_ = false;
  note_shared_files();
  process_.kill();
  remove_files(shared_files_);
  shared_files_.clear();
}

/// Of a process that has ended nothing can be read, and its number may be another's by now: what
/// was seen earlier is kept.
void WorkerLane::note_shared_files() {
  if (process_.poll_status()) {
    return;
  }
  for (std::string& file : shared_files_of(process_.pid(), Deadline::after(maps_seconds))) {
    if (std::find(shared_files_.begin(), shared_files_.end(), file) == shared_files_.end()) {
      shared_files_.push_back(std::move(file));
    }
  }
}

std::optional<Reply> WorkerLane::look_for_reply(Deadline deadline, const Abandon& abandon) {
  // Looked at before reading, so that what a worker sent before its end is still taken.
  const bool has_ended = process_.poll_status().has_value();
  send_some();
  const bool is_open = receive_some();
  if (auto reply = take_reply()) {
    return reply;
  }
  if (has_ended || !is_open) {
    lose_ended();
  }
  if (deadline.has_passed()) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - started_;
    lose(fmt::format("gave no answer within {:.1f} s in phase {}{}{}",
                     waited.count(),
                     phase_,
                     log_ends(),
                     word_of_ras()));
  }
  if (next_question_.has_passed()) {
    if (abandon && abandon()) {
      lose(fmt::format("was left in phase {}: another rank has lost this step", phase_));
    }
    next_question_ = Deadline::after(slice_seconds);
  }
  return std::nullopt;
}

std::optional<Reply> WorkerLane::take_reply() {
  std::string problem;
  try {
    const auto document = reader_.next();
    if (!document) {
      return std::nullopt;
    }
    Reply reply = decode_reply(*document);
    if (reply.index() == reply_index_ || std::holds_alternative<Failure>(reply)) {
      return reply;
    }
    problem = fmt::format("a reply of type '{}'", type_name(reply));
  } catch (const Error& error) {
    problem = error.message();
  }
  lose(fmt::format("sent garbage in phase {}: {}{}", phase_, problem, log_ends()));
}

void WorkerLane::settle(const Reply& reply) {
  phase_.clear();
  if (std::holds_alternative<InitReply>(reply) || std::holds_alternative<OpenResult>(reply)) {
    // These are the steps in which NCCL connects; a worker that crashes later takes its maps along.
    note_shared_files();
  }
  const auto* failure = std::get_if<Failure>(&reply);
  if (failure != nullptr &&
      (failure->kind == ErrorKind::cuda || failure->kind == ErrorKind::nccl)) {
    end_ = failure->message;
    kill();
  } else if (has_quit_) {
    end_ = "it has quit";
    alive_ = false;
  }
}

void WorkerLane::send_some() {
  while (sent_ < outgoing_.size()) {
    const ssize_t sent = ::send(process_.socket(),
                                outgoing_.data() + sent_,
                                outgoing_.size() - sent_,
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      sent_ += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR) {
      sent_ = outgoing_.size();  // what became of the worker shows when its socket is read
    }
  }
}

/// False at end-of-file.
bool WorkerLane::receive_some() {
  std::array<std::uint8_t, piece_bytes> piece{};
  for (std::size_t read = 0; read < most_bytes_at_once;) {
    const ssize_t got = ::recv(process_.socket(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) {
      read += static_cast<std::size_t>(got);
      reader_.append(std::span(piece.data(), static_cast<std::size_t>(got)));
    } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return true;
    } else if (got == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

void WorkerLane::wait_for_socket(Deadline deadline) const {
  pollfd entry{};
  entry.fd = process_.socket();
  entry.events = POLLIN;
  if (sent_ < outgoing_.size()) {
    entry.events |= POLLOUT;
  }
  // Rounded up: a wait of zero would spin on a core that NCCL's threads need. EINTR just goes
  // round.
  constexpr double milliseconds = 1000;
  ::poll(&entry, 1, static_cast<int>(std::ceil(deadline.seconds_left() * milliseconds)));
}

void WorkerLane::require_alive() const {
  if (!alive_) {
    throw Error(ErrorKind::lost, fmt::format("the lane of path {} is dead: {}", path_, end_));
  }
}

void WorkerLane::lose_ended() {
  const std::string torn = reader_.pending_bytes() == 0
                               ? ""
                               : fmt::format(", {} bytes into its reply", reader_.pending_bytes());
  const auto status = process_.wait(Deadline::after(end_seconds));
  const std::string how = status ? "ended with " + describe_status(*status)
                                 : std::string("closed its socket without ending");
  lose(fmt::format("{} in phase {}{}{}", how, phase_, torn, log_ends()));
}

void WorkerLane::lose(const std::string& what) {
  end_ = fmt::format("worker of path {} {}", path_, what);
  phase_.clear();
  kill();
  throw Error(ErrorKind::lost, end_);
}

std::string WorkerLane::log_ends() const {
  std::string text;
  if (const std::string lines = last_lines(output_file_, log_lines); !lines.empty()) {
    text += "; last lines of its log: " + lines;
  }
  if (const std::string lines = last_nccl_warnings(nccl_log_, warning_lines); !lines.empty()) {
    text += "; NCCL warned: " + lines;
  }
  return text;
}

/// Before the kill: afterwards nobody is there to ask.
std::string WorkerLane::word_of_ras() const {
  const std::string text = ask_ras(ras_address_, Deadline::after(ras_seconds));
  const std::string lines = ras_summary(text, ras_lines);
  return lines.empty() ? "" : "; NCCL RAS says: " + lines;
}

}  // namespace viaduct
