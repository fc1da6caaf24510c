#pragma once
// A transport between threads of one process, on plain host memory, that can be told to do an
// operation wrongly.

#include "core/error.hpp"
#include "support/loopback_reduce.hpp"
#include "support/loopback_stream.hpp"
#include "support/loopback_world.hpp"
#include "transport/grouped.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace viaduct::loopback {

enum class Fault { none, forget, flip_bit, swap_halves };

/// One operation of a rank, as a fault is chosen for it. The 8 B all_reduce that aligns ranks is
/// not counted.
struct Executed {
  int rank = 0;
  std::uint64_t number = 0;  ///< 0, 1, ... over the life of the transport
  void* recv = nullptr;
};

using ChooseFault = std::function<Fault(const Executed&)>;

class Transport : public viaduct::Transport {
 public:
  Transport(World& world, int rank, Stream& stream) : world_(world), rank_(rank), stream_(stream) {}

  ChooseFault choose_fault;
  std::string reason;  ///< what why_not() says

  /// An all_reduce of this many bytes or fewer is the one that aligns ranks.
  static constexpr std::size_t align_bytes = 8;

  /// Of one operation, on the logical clock.
  static constexpr double operation_us = 10.0;

  static double cost_us(std::size_t bytes) { return bytes <= align_bytes ? 1000.0 : operation_us; }

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return world_.ranks(); }

  [[nodiscard]] std::string why_not(const Case& c, bool reduces) const override {
    return reason.empty() && reduces ? why_no_reduction(c.datatype) : reason;
  }

  void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override {
    const std::size_t bytes = count * element_bytes(type);
    stream_.submit("all_reduce " + std::to_string(count), cost_us(bytes), [=, this] {
      World::Message result = reduced(world_.exchange(rank_, send), 0, count, type, op);
      world_.meet();
      deliver(recv, std::move(result), bytes > align_bytes);
    });
  }

  void all_gather(const void* send, void* recv, std::size_t count, Datatype type) override {
    const std::size_t bytes = count * element_bytes(type);
    stream_.submit("all_gather " + std::to_string(count), operation_us, [=, this] {
      World::Message result;
      for (const unsigned char* input : world_.exchange(rank_, send)) {
        result.insert(result.end(), input, input + bytes);
      }
      world_.meet();
      deliver(recv, std::move(result), true);
    });
  }

  void reduce_scatter(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override {
    stream_.submit("reduce_scatter " + std::to_string(count), operation_us, [=, this] {
      const std::size_t own = count * static_cast<std::size_t>(rank_);
      World::Message result = reduced(world_.exchange(rank_, send), own, count, type, op);
      world_.meet();
      deliver(recv, std::move(result), true);
    });
  }

  void broadcast(
      const void* send, void* recv, std::size_t count, Datatype type, int root) override {
    stream_.submit("broadcast " + std::to_string(count), operation_us, [=, this] {
      const unsigned char* from = world_.exchange(rank_, send)[static_cast<std::size_t>(root)];
      World::Message result(from, from + count * element_bytes(type));
      world_.meet();
      deliver(recv, std::move(result), true);
    });
  }

  void reduce(const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root)
      override {
    stream_.submit("reduce " + std::to_string(count), operation_us, [=, this] {
      World::Message result = reduced(world_.exchange(rank_, send), 0, count, type, op);
      world_.meet();
      if (rank_ == root) {
        deliver(recv, std::move(result), true);
      }
    });
  }

  // As a library that lacks the calls.
  void gather(const void* send, void* recv, std::size_t count, Datatype type, int root) override {
    grouped::gather(*this, send, recv, count, type, root);
  }

  void scatter(const void* send, void* recv, std::size_t count, Datatype type, int root) override {
    grouped::scatter(*this, send, recv, count, type, root);
  }

  void alltoall(const void* send, void* recv, std::size_t count, Datatype type) override {
    grouped::alltoall(*this, send, recv, count, type);
  }

  void alltoallv(const void* send,
                 void* recv,
                 const ExchangeBlocks& blocks,
                 Datatype type) override {
    grouped::alltoallv(*this, send, recv, blocks, type);
  }

  void barrier() override {
    stream_.submit("barrier", operation_us, [this] { world_.meet(); });
  }

  void copy(const void* from, void* to, std::size_t bytes) override {
    stream_.submit("copy " + std::to_string(bytes), operation_us, [=] {
      if (bytes != 0) {
        std::memcpy(to, from, bytes);
      }
    });
  }

  void group_begin() override { sends_.clear(), receives_.clear(); }

  void group_end() override {
    stream_.submit("group", operation_us, [this, sends = sends_, receives = receives_] {
      for (const Message& message : sends) {
        const auto* const from = static_cast<const unsigned char*>(message.buffer);
        world_.leave(rank_, message.peer, World::Message(from, from + message.bytes));
      }
      for (const Message& message : receives) {
        deliver(message.buffer, world_.take(message.peer, rank_), true);
      }
    });
  }

  void send(const void* buffer, std::size_t count, Datatype type, int peer) override {
    sends_.push_back(Message{const_cast<void*>(buffer), count * element_bytes(type), peer});
  }

  void recv(void* buffer, std::size_t count, Datatype type, int peer) override {
    receives_.push_back(Message{buffer, count * element_bytes(type), peer});
  }

 private:
  struct Message {
    void* buffer = nullptr;
    std::size_t bytes = 0;
    int peer = 0;
  };

  void deliver(void* recv, World::Message result, bool is_counted) {
    Fault fault = Fault::none;
    if (is_counted) {
      const Executed executed{rank_, executed_++, recv};
      fault = choose_fault ? choose_fault(executed) : Fault::none;
    }
    if (fault == Fault::forget || result.empty()) {
      return;
    }
    if (fault == Fault::flip_bit) {
      result[result.size() / 2] ^= 0x10U;
    }
    if (fault == Fault::swap_halves) {
      const auto middle = result.begin() + static_cast<std::ptrdiff_t>(result.size() / 2);
      std::swap_ranges(result.begin(), middle, middle);
    }
    std::memcpy(recv, result.data(), result.size());
  }

  World& world_;
  int rank_;
  Stream& stream_;
  std::uint64_t executed_ = 0;
  std::vector<Message> sends_;
  std::vector<Message> receives_;
};

}  // namespace viaduct::loopback
