#pragma once
// Memory and timeline to the loopback transport, and the three as one device.

#include "batch/device.hpp"
#include "core/error.hpp"
#include "oracle/expected.hpp"
#include "support/loopback_stream.hpp"
#include "support/loopback_transport.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace viaduct::loopback {

class Memory : public viaduct::Memory {
 public:
  explicit Memory(Stream& stream) : stream_(stream) {}

  std::uint64_t free = std::uint64_t{1} << 30U;
  std::uint64_t taken = 0;  ///< by buffers that live

  std::unique_ptr<Buffer> allocate(std::size_t bytes, BufferKind) override {
    if (taken + bytes > free) {
      throw Error(ErrorKind::refused, "the loopback has no more memory");
    }
    return std::make_unique<Allocation>(*this, bytes);
  }

  [[nodiscard]] std::string allocator(BufferKind) const override { return "loopback"; }

  [[nodiscard]] std::uint64_t free_bytes() const override { return free - taken; }

  void fill(void* at,
            std::uint64_t count,
            Datatype type,
            const Pattern& pattern,
            int rank,
            std::uint64_t source_first) override {
    stream_.submit("fill " + std::to_string(count), 500.0, [=] {
      fill_on_host(at, count, type, pattern, rank, source_first);
    });
  }

  void poison(void* at, std::size_t bytes) override {
    stream_.submit(
        "poison " + std::to_string(bytes), 500.0, [=] { std::memset(at, poison_byte, bytes); });
  }

  std::uint64_t count_wrong(const void* at,
                            Datatype type,
                            const Pattern& pattern,
                            const Segment& segment) override {
    stream_.trace.push_back("compare");
    return count_wrong_on_host(at, type, pattern, segment);
  }

 private:
  class Allocation : public Buffer {
   public:
    Allocation(Memory& owner, std::size_t bytes)
        : owner_(owner),
          bytes_(bytes),
          data_(std::aligned_alloc(256, bytes / 256 * 256 + 256)) {
      owner_.taken += bytes_;
    }

    ~Allocation() override {
      owner_.taken -= bytes_;
      std::free(data_);
    }

    Allocation(const Allocation&) = delete;
    Allocation& operator=(const Allocation&) = delete;

    [[nodiscard]] void* data() const override { return data_; }

    [[nodiscard]] std::size_t bytes() const override { return bytes_; }

   private:
    Memory& owner_;
    std::size_t bytes_;
    void* data_;
  };

  Stream& stream_;
};

class RecordedGraph : public Graph {
 public:
  explicit RecordedGraph(std::vector<Stream::Work> steps) : steps_(std::move(steps)) {}

  void run() const {
    for (const Stream::Work& step : steps_) {
      step();
    }
  }

 private:
  std::vector<Stream::Work> steps_;
};

class Timeline : public viaduct::Timeline {
 public:
  explicit Timeline(Stream& stream) : stream_(stream) {}

  bool with_graphs = true;
  int captures = 0;

  void reserve(std::size_t slots) override {
    if (slots > marks_.size()) {
      marks_.resize(slots);
    }
  }

  void mark(std::size_t slot) override {
    stream_.submit(
        "mark " + std::to_string(slot), 0, [=, this] { marks_.at(slot) = stream_.now_us; });
  }

  void synchronize() override {
    if (stream_.is_capturing) {
      throw Error(ErrorKind::internal, "synchronize() inside a capture");
    }
    stream_.trace.push_back("synchronize");
  }

  [[nodiscard]] double elapsed_us(std::size_t from, std::size_t to) const override {
    return marks_.at(to) - marks_.at(from);
  }

  [[nodiscard]] bool has_graphs() const override { return with_graphs; }

  std::unique_ptr<Graph> capture(const std::function<void()>& enqueue) override {
    if (!with_graphs) {
      throw Error(ErrorKind::usage, "the loopback was told to have no graphs");
    }
    ++captures;
    return std::make_unique<RecordedGraph>(stream_.capture(enqueue));
  }

  void launch(const Graph& graph) override {
    stream_.trace.push_back("launch");
    dynamic_cast<const RecordedGraph&>(graph).run();
  }

 private:
  Stream& stream_;
  std::vector<double> marks_;
};

/// Everything of one rank.
struct Rank {
  Rank(World& world, int rank) : transport(world, rank, stream), memory(stream), timeline(stream) {}

  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  [[nodiscard]] Device device() { return Device{transport, memory, timeline}; }

  Stream stream;
  Transport transport;
  Memory memory;
  Timeline timeline;
};

}  // namespace viaduct::loopback
