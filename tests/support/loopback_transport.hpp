#pragma once
// A transport between threads of one process, on plain host memory, that can be told to do an
// operation wrongly.

#include "core/error.hpp"
#include "support/loopback_stream.hpp"
#include "support/loopback_world.hpp"
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
  static double cost_us(std::size_t bytes) { return bytes <= align_bytes ? 1000.0 : 10.0; }

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return world_.ranks(); }

  [[nodiscard]] std::string why_not(const Case&) const override { return reason; }

  void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp) override {
    const std::size_t bytes = count * element_bytes(type);
    stream_.submit("all_reduce " + std::to_string(count), cost_us(bytes), [=, this] {
      World::Message result = reduced(send, count, type);
      world_.meet();
      deliver(recv, std::move(result), bytes > align_bytes);
    });
  }

  void all_gather(const void* send, void* recv, std::size_t count, Datatype type) override {
    const std::size_t bytes = count * element_bytes(type);
    stream_.submit("all_gather " + std::to_string(count), cost_us(align_bytes + 1), [=, this] {
      World::Message result;
      for (const unsigned char* input : world_.exchange(rank_, send)) {
        result.insert(result.end(), input, input + bytes);
      }
      world_.meet();
      deliver(recv, std::move(result), true);
    });
  }

  void group_begin() override { sends_.clear(), receives_.clear(); }

  void group_end() override {
    stream_.submit("group", cost_us(align_bytes + 1), [this, sends = sends_, receives = receives_] {
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

  World::Message reduced(const void* send, std::size_t count, Datatype type) {
    switch (type) {
      case Datatype::float32:
        return sums<float>(send, count);
      case Datatype::float64:
        return sums<double>(send, count);
      // Unsigned: sums that are repeated in place wrap around.
      case Datatype::int32:
        return sums<std::uint32_t>(send, count);
      case Datatype::int64:
        return sums<std::uint64_t>(send, count);
      default:
        throw Error(ErrorKind::usage, std::string("the loopback has no sums of ") + name(type));
    }
  }

  template <typename T>
  World::Message sums(const void* send, std::size_t count) {
    std::vector<T> total(count);
    for (const unsigned char* input : world_.exchange(rank_, send)) {
      for (std::size_t i = 0; i < count; ++i) {
        T value{};
        std::memcpy(&value, input + i * sizeof(T), sizeof(T));
        total[i] = static_cast<T>(total[i] + value);
      }
    }
    World::Message bytes(count * sizeof(T));
    if (count != 0) {
      std::memcpy(bytes.data(), total.data(), bytes.size());
    }
    return bytes;
  }

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
