#pragma once
// The rank's side of the staged path for a lane of one rank, without MPI: what it sends it
// receives, and collectives in place leave what is there.

#include "staging/task_queue.hpp"

#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

namespace viaduct {

class SelfServer {
 public:
  explicit SelfServer(const staging::SharedBlock& block) : block_(block), reader_(block) {}

  /// Tasks in the order in which they came.
  std::vector<staging::Task> seen;

  /// Collectives that were taken and are held back until there are this many of them.
  std::size_t held_collectives = 0;

  void serve() {
    while (const auto numbered = reader_.next()) {
      seen.push_back(numbered->task);
      take(*numbered);
    }
    match();
  }

 private:
  using Numbered = staging::NumberedTask;

  void take(const Numbered& numbered) {
    switch (numbered.task.kind) {
      case staging::TaskKind::send:
        sends_.push_back(numbered);
        break;
      case staging::TaskKind::receive:
        receives_.push_back(numbered);
        break;
      default:
        collectives_.push_back(numbered);
        break;
    }
  }

  void match() {
    while (!sends_.empty() && !receives_.empty()) {
      const Numbered sent = sends_.front();
      const Numbered received = receives_.front();
      if (sent.task.count != received.task.count) {
        throw std::logic_error("a message met a receive of another length");
      }
      std::memcpy(block_.slot(received.task.slot), block_.slot(sent.task.slot), sent.task.count);
      finish(sends_);
      finish(receives_);
    }
    if (collectives_.size() >= held_collectives) {
      while (!collectives_.empty()) {
        finish(collectives_);
      }
    }
  }

  void finish(std::deque<Numbered>& tasks) {
    reader_.finish(tasks.front().task.slot, tasks.front().number);
    tasks.pop_front();
  }

  const staging::SharedBlock& block_;
  staging::TaskReader reader_;
  std::deque<Numbered> sends_;
  std::deque<Numbered> receives_;
  std::deque<Numbered> collectives_;
};

}  // namespace viaduct
