#pragma once
// Copies of the staged path on plain memory. A copy happens when it is found done, and only after a
// few looks: what is read too early is not there yet.

#include "staging/device_copies.hpp"

#include <cstring>
#include <deque>
#include <functional>
#include <stdexcept>
#include <utility>

namespace viaduct::loopback {

class Copies : public staging::DeviceCopies {
 public:
  /// `pause` is called while nothing goes on: what the other side does, where it is not another
  /// process.
  explicit Copies(std::function<void()> pause, int looks = 2)
      : pause_(std::move(pause)),
        down_(looks),
        up_(looks) {}

  /// Copies and bytes that were started so far.
  struct Count {
    std::uint64_t copies = 0;
    std::uint64_t bytes = 0;
  };

  Count started_down;
  Count started_up;

  std::uint64_t start_down(void* host, const staging::DeviceRows& from) override {
    add(started_down, from);
    return down_.start([host, from] {
      for (std::uint64_t i = 0; i < from.rows; ++i) {
        std::memcpy(at(host, i * from.bytes), at(from.at, i * from.step), from.bytes);
      }
    });
  }

  std::uint64_t start_up(const staging::DeviceRows& to, const void* host) override {
    add(started_up, to);
    return up_.start([to, host] {
      for (std::uint64_t i = 0; i < to.rows; ++i) {
        std::memcpy(at(to.at, i * to.step), at(const_cast<void*>(host), i * to.bytes), to.bytes);
      }
    });
  }

  bool is_down_done(std::uint64_t ticket) override { return down_.is_done(ticket); }

  bool is_up_done(std::uint64_t ticket) override { return up_.is_done(ticket); }

  void copy_within(const void* from, void* to, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }

  void pause(std::uint64_t /*waits*/) override { pause_(); }

 private:
  /// Copies that end one after another.
  class Queue {
   public:
    explicit Queue(int looks) : looks_(looks) {}

    std::uint64_t start(std::function<void()> copy) {
      waiting_.push_back({std::move(copy), looks_});
      return next_++;
    }

    bool is_done(std::uint64_t ticket) {
      if (ticket >= next_) {
        throw std::logic_error("a ticket that was never given");
      }
      while (!waiting_.empty() && ticket >= next_ - waiting_.size()) {
        Pending& first = waiting_.front();
        if (first.looks > 0) {
          --first.looks;
          return false;
        }
        first.copy();
        waiting_.pop_front();
      }
      return true;
    }

   private:
    struct Pending {
      std::function<void()> copy;
      int looks = 0;
    };

    int looks_;
    std::deque<Pending> waiting_;
    std::uint64_t next_ = 0;
  };

  static unsigned char* at(void* first, std::uint64_t bytes) {
    return static_cast<unsigned char*>(first) + bytes;
  }

  static void add(Count& count, const staging::DeviceRows& rows) {
    if (rows.is_empty()) {
      throw std::logic_error("a copy of nothing was started");
    }
    ++count.copies;
    count.bytes += rows.bytes * rows.rows;
  }

  std::function<void()> pause_;
  Queue down_;
  Queue up_;
};

}  // namespace viaduct::loopback
