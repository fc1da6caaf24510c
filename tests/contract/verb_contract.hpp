#pragma once
// What the verbs of collectives must do on every transport: exact for every root, in place where
// they can be, nothing written that is not theirs, the input left alone. A suite for a type HARNESS
// as in transport_contract.hpp.

#include "contract/contract_array.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

struct ContractReduction {
  Datatype type = Datatype::float32;
  ReduceOp op = ReduceOp::sum;
};

/// What the transport can reduce and what can be checked.
inline std::vector<ContractReduction> contract_reductions(const Transport& transport) {
  std::vector<ContractReduction> all;
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : all_reduce_ops()) {
      Case c;
      c.operation = "all_reduce";
      c.datatype = type;
      c.reduction = op;
      if (why_no_pattern(transport.size(), type, op).empty() &&
          transport.why_not(c, true).empty()) {
        all.push_back({type, op});
      }
    }
  }
  return all;
}

/// A little more than small counts of one MPI call hold, and the least there is.
inline const std::vector<std::uint64_t>& verb_counts() {
  static const std::vector<std::uint64_t> counts{1, 333, 2'500};
  return counts;
}

/// Of one verb: an input and an output with one element behind their ends, in the same pattern.
struct VerbBuffers {
  VerbBuffers(Device device,
              Datatype type,
              std::uint64_t sent,
              std::uint64_t received,
              const Pattern& pattern)
      : rank(device.transport.rank()),
        ranks(device.transport.size()),
        send_elements(sent),
        recv_elements(received),
        input(device, type, sent + 1, pattern),
        output(device, type, received + 1, pattern) {
    input.fill_own(0, sent);
  }

  /// The output holds the segments and nothing else; the input is as it was.
  void expect(const std::vector<Segment>& segments) const {
    for (const Segment& segment : segments) {
      EXPECT_EQ(output.wrong(segment), 0U) << "of " << segment.count << " from " << segment.first;
    }
    EXPECT_EQ(output.touched(recv_elements, 1), 0U) << "wrote behind the end";
    EXPECT_EQ(input.wrong_copy(0, send_elements, rank), 0U) << "input has changed";
    EXPECT_EQ(input.touched(send_elements, 1), 0U) << "wrote behind the end of the input";
  }

  int rank;
  int ranks;
  std::uint64_t send_elements;
  std::uint64_t recv_elements;
  ContractArray input;
  ContractArray output;
};

inline Segment copied_run(std::uint64_t first,
                          std::uint64_t count,
                          int source,
                          std::uint64_t source_first) {
  return Segment{Segment::Kind::copied, first, count, source, source_first};
}

inline Segment reduced_run(std::uint64_t count, std::uint64_t source_first) {
  return Segment{Segment::Kind::reduced, 0, count, 0, source_first};
}

inline Segment untouched_run(std::uint64_t first, std::uint64_t count) {
  return Segment{Segment::Kind::untouched, first, count, 0, 0};
}

/// Block j of the output is block `taken` of the input of rank j.
inline std::vector<Segment> block_runs(int ranks, std::uint64_t count, int taken) {
  std::vector<Segment> runs;
  for (int source = 0; source < ranks; ++source) {
    runs.push_back(copied_run(count * as_count(source), count, source, count * as_count(taken)));
  }
  return runs;
}

/// Unequal blocks, some of them empty, with a gap of one element behind each.
class GappedBlocks {
 public:
  GappedBlocks(int rank, int ranks) : rank_(rank), ranks_(ranks) {
    std::uint64_t send_end = 0;
    std::uint64_t recv_end = 0;
    for (int peer = 0; peer < ranks; ++peer) {
      send_counts_.push_back(elements(rank, peer));
      send_offsets_.push_back(send_end);
      recv_counts_.push_back(elements(peer, rank));
      recv_offsets_.push_back(recv_end);
      send_end += send_counts_.back() + 1;
      recv_end += recv_counts_.back() + 1;
    }
  }

  /// From the third rank on nothing is sent to oneself.
  static std::uint64_t elements(int from, int to) { return as_count((from + 2 * to + 1) % 4) * 90; }

  [[nodiscard]] std::uint64_t room() const { return as_count(ranks_) * (3 * 90 + 1); }

  [[nodiscard]] ExchangeBlocks get() const {
    return ExchangeBlocks{.send_counts = send_counts_,
                          .send_offsets = send_offsets_,
                          .recv_counts = recv_counts_,
                          .recv_offsets = recv_offsets_,
                          .most_elements = room()};
  }

  [[nodiscard]] std::vector<Segment> runs() const {
    std::vector<Segment> runs;
    for (int source = 0; source < ranks_; ++source) {
      const auto at = static_cast<std::size_t>(source);
      std::uint64_t source_first = 0;
      for (int peer = 0; peer < rank_; ++peer) {
        source_first += elements(source, peer) + 1;
      }
      runs.push_back(copied_run(recv_offsets_[at], recv_counts_[at], source, source_first));
      runs.push_back(untouched_run(recv_offsets_[at] + recv_counts_[at], 1));
    }
    return runs;
  }

 private:
  int rank_;
  int ranks_;
  std::vector<std::uint64_t> send_counts_;
  std::vector<std::uint64_t> send_offsets_;
  std::vector<std::uint64_t> recv_counts_;
  std::vector<std::uint64_t> recv_offsets_;
};

template <typename Harness>
class VerbContract : public testing::Test {};

TYPED_TEST_SUITE_P(VerbContract);

TYPED_TEST_P(VerbContract, EveryReductionIsExact) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const std::uint64_t count = 1'111;
    for (const auto& [type, op] : contract_reductions(device.transport)) {
      SCOPED_TRACE(std::string(name(type)) + " " + name(op));
      const Pattern pattern = make_pattern(21, ranks, type, op, true);
      VerbBuffers buffers(device, type, count, count, pattern);
      device.transport.all_reduce(buffers.input.at(0), buffers.output.at(0), count, type, op);
      device.timeline.synchronize();
      buffers.expect({reduced_run(count, 0)});
    }
  });
}

TYPED_TEST_P(VerbContract, ReduceScatterIsExact) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const auto& [type, op] : contract_reductions(device.transport)) {
      const Pattern pattern = make_pattern(22, ranks, type, op, true);
      for (const std::uint64_t count : verb_counts()) {
        SCOPED_TRACE(std::string(name(type)) + " " + name(op) + " " + std::to_string(count));
        VerbBuffers buffers(device, type, count * as_count(ranks), count, pattern);
        device.transport.reduce_scatter(buffers.input.at(0), buffers.output.at(0), count, type, op);
        device.timeline.synchronize();
        buffers.expect({reduced_run(count, count * as_count(buffers.rank))});
      }
    }
  });
}

TYPED_TEST_P(VerbContract, ReduceScatterWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(23, ranks, type, ReduceOp::sum, true);
    for (const std::uint64_t count : verb_counts()) {
      const std::uint64_t own = count * as_count(device.transport.rank());
      ContractArray array(device, type, count * as_count(ranks) + 1, pattern);
      array.fill_own(0, count * as_count(ranks));
      device.transport.reduce_scatter(array.at(0), array.at(own), count, type, ReduceOp::sum);
      device.timeline.synchronize();
      EXPECT_EQ(array.wrong({Segment::Kind::reduced, own, count, 0, own}), 0U) << count;
      EXPECT_EQ(array.touched(count * as_count(ranks), 1), 0U) << "wrote behind the end";
    }
  });
}

TYPED_TEST_P(VerbContract, BroadcastComesFromEveryRoot) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : all_datatypes()) {
      const Pattern pattern = make_pattern(24, ranks, type, ReduceOp::sum, false);
      for (int root = 0; root < ranks; ++root) {
        for (const std::uint64_t count : verb_counts()) {
          SCOPED_TRACE(std::string(name(type)) + " from " + std::to_string(root));
          VerbBuffers buffers(device, type, count, count, pattern);
          device.transport.broadcast(buffers.input.at(0), buffers.output.at(0), count, type, root);
          device.transport.broadcast(buffers.output.at(0), buffers.output.at(0), count, type, root);
          device.timeline.synchronize();
          buffers.expect({copied_run(0, count, root, 0)});
        }
      }
    }
  });
}

TYPED_TEST_P(VerbContract, BroadcastWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const std::uint64_t count = 2'500;
    const Pattern pattern = make_pattern(25, ranks, Datatype::int32, ReduceOp::sum, false);
    for (int root = 0; root < ranks; ++root) {
      ContractArray array(device, Datatype::int32, count + 1, pattern);
      array.fill_own(0, count);
      device.transport.broadcast(array.at(0), array.at(0), count, Datatype::int32, root);
      device.timeline.synchronize();
      EXPECT_EQ(array.wrong_copy(0, count, root), 0U) << root;
      EXPECT_EQ(array.touched(count, 1), 0U) << "wrote behind the end";
    }
  });
}

TYPED_TEST_P(VerbContract, ReduceEndsAtEveryRoot) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const std::uint64_t count = 2'500;
    for (const auto& [type, op] : contract_reductions(device.transport)) {
      const Pattern pattern = make_pattern(26, ranks, type, op, true);
      for (int root = 0; root < ranks; ++root) {
        SCOPED_TRACE(std::string(name(type)) + " " + name(op) + " at " + std::to_string(root));
        VerbBuffers buffers(device, type, count, count, pattern);
        device.transport.reduce(buffers.input.at(0), buffers.output.at(0), count, type, op, root);
        device.timeline.synchronize();
        buffers.expect({buffers.rank == root ? reduced_run(count, 0) : untouched_run(0, count)});
      }
    }
  });
}

TYPED_TEST_P(VerbContract, ReduceWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const int rank = device.transport.rank();
    const std::uint64_t count = 2'500;
    const Datatype type = Datatype::int32;
    const Pattern pattern = make_pattern(27, ranks, type, ReduceOp::sum, true);
    for (int root = 0; root < ranks; ++root) {
      ContractArray array(device, type, count + 1, pattern);
      array.fill_own(0, count);
      device.transport.reduce(array.at(0), array.at(0), count, type, ReduceOp::sum, root);
      device.timeline.synchronize();
      EXPECT_EQ(rank == root ? array.wrong_sum(count) : array.wrong_copy(0, count, rank), 0U);
      EXPECT_EQ(array.touched(count, 1), 0U) << "wrote behind the end";
    }
  });
}

TYPED_TEST_P(VerbContract, GatherFillsEveryRoot) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : {Datatype::uint8, Datatype::float16, Datatype::float64}) {
      const Pattern pattern = make_pattern(28, ranks, type, ReduceOp::sum, false);
      for (int root = 0; root < ranks; ++root) {
        for (const std::uint64_t count : verb_counts()) {
          const std::uint64_t all = count * as_count(ranks);
          VerbBuffers buffers(device, type, count, all, pattern);
          device.transport.gather(buffers.input.at(0), buffers.output.at(0), count, type, root);
          device.timeline.synchronize();
          buffers.expect(buffers.rank == root ? block_runs(ranks, count, 0)
                                              : std::vector<Segment>{untouched_run(0, all)});
        }
      }
    }
  });
}

TYPED_TEST_P(VerbContract, GatherWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const int rank = device.transport.rank();
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(29, ranks, type, ReduceOp::sum, false);
    for (const std::uint64_t count : verb_counts()) {
      for (int root = 0; root < ranks; ++root) {
        const std::uint64_t own = count * as_count(rank);
        ContractArray array(device, type, count * as_count(ranks), pattern);
        array.fill_own(own, count);
        device.transport.gather(array.at(own), array.at(0), count, type, root);
        device.timeline.synchronize();
        EXPECT_EQ(array.wrong_copy(own, count, rank), 0U);
        for (int source = 0; source < ranks; ++source) {
          const std::uint64_t first = count * as_count(source);
          EXPECT_EQ(rank == root || source == rank ? array.wrong_copy(first, count, source)
                                                   : array.touched(first, count),
                    0U);
        }
      }
    }
  });
}

TYPED_TEST_P(VerbContract, ScatterComesFromEveryRoot) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : {Datatype::uint8, Datatype::bfloat16, Datatype::int64}) {
      const Pattern pattern = make_pattern(30, ranks, type, ReduceOp::sum, false);
      for (int root = 0; root < ranks; ++root) {
        for (const std::uint64_t count : verb_counts()) {
          VerbBuffers buffers(device, type, count * as_count(ranks), count, pattern);
          device.transport.scatter(buffers.input.at(0), buffers.output.at(0), count, type, root);
          device.timeline.synchronize();
          buffers.expect({copied_run(0, count, root, count * as_count(buffers.rank))});
        }
      }
    }
  });
}

TYPED_TEST_P(VerbContract, ScatterWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(31, ranks, type, ReduceOp::sum, false);
    for (const std::uint64_t count : verb_counts()) {
      for (int root = 0; root < ranks; ++root) {
        const std::uint64_t own = count * as_count(device.transport.rank());
        ContractArray array(device, type, count * as_count(ranks), pattern);
        array.fill_own(0, count * as_count(ranks));
        device.transport.scatter(array.at(0), array.at(own), count, type, root);
        device.timeline.synchronize();
        EXPECT_EQ(array.wrong(copied_run(own, count, root, own)), 0U);
      }
    }
  });
}

TYPED_TEST_P(VerbContract, AlltoallTurnsBlocksRound) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : all_datatypes()) {
      const Pattern pattern = make_pattern(32, ranks, type, ReduceOp::sum, false);
      for (const std::uint64_t count : verb_counts()) {
        const std::uint64_t all = count * as_count(ranks);
        VerbBuffers buffers(device, type, all, all, pattern);
        device.transport.alltoall(buffers.input.at(0), buffers.output.at(0), count, type);
        device.timeline.synchronize();
        buffers.expect(block_runs(ranks, count, buffers.rank));
      }
    }
  });
}

TYPED_TEST_P(VerbContract, AlltoallWorksInPlaceOrIsRefused) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const Datatype type = Datatype::float32;
    Case c;
    c.operation = "alltoall";
    c.placement = Placement::in_place;
    if (!device.transport.why_not(c, false).empty()) {
      return;
    }
    const Pattern pattern = make_pattern(33, ranks, type, ReduceOp::sum, false);
    for (const std::uint64_t count : verb_counts()) {
      ContractArray array(device, type, count * as_count(ranks), pattern);
      array.fill_own(0, count * as_count(ranks));
      device.transport.alltoall(array.at(0), array.at(0), count, type);
      device.timeline.synchronize();
      for (const Segment& run : block_runs(ranks, count, device.transport.rank())) {
        EXPECT_EQ(array.wrong(run), 0U) << count;
      }
    }
  });
}

TYPED_TEST_P(VerbContract, AlltoallvKeepsToItsBlocks) {
  TypeParam::run([](Device device) {
    const GappedBlocks blocks(device.transport.rank(), device.transport.size());
    for (const Datatype type : all_datatypes()) {
      const Pattern pattern = make_pattern(34, device.transport.size(), type, ReduceOp::sum, false);
      VerbBuffers buffers(device, type, blocks.room(), blocks.room(), pattern);
      device.transport.alltoallv(buffers.input.at(0), buffers.output.at(0), blocks.get(), type);
      device.timeline.synchronize();
      buffers.expect(blocks.runs());
    }
  });
}

TYPED_TEST_P(VerbContract, BarrierEndsOrIsRefused) {
  TypeParam::run([](Device device) {
    Case c;
    c.operation = "barrier";
    if (!device.transport.why_not(c, false).empty()) {
      EXPECT_ANY_THROW(device.transport.barrier());
      return;
    }
    for (int i = 0; i < 10; ++i) {
      device.transport.barrier();
    }
    device.timeline.synchronize();
  });
}

TYPED_TEST_P(VerbContract, CopyKeepsTheOrderOfOperations) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const Datatype type = Datatype::float64;
    const std::uint64_t count = 5'001;
    const Pattern pattern = make_pattern(35, ranks, type, ReduceOp::sum, true);
    VerbBuffers buffers(device, type, count, count, pattern);
    ContractArray reduced(device, type, count, pattern);
    device.transport.all_reduce(buffers.input.at(0), reduced.at(0), count, type, ReduceOp::sum);
    device.transport.copy(reduced.at(0), buffers.output.at(0), count * element_bytes(type));
    device.transport.copy(reduced.at(0), buffers.output.at(0), 0);
    device.timeline.synchronize();
    buffers.expect({reduced_run(count, 0)});
  });
}

TYPED_TEST_P(VerbContract, NoElementsTouchNothing) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const Datatype type = Datatype::float32;
    VerbBuffers buffers(device, type, 4, 4, make_pattern(36, ranks, type, ReduceOp::sum, true));
    const void* send = buffers.input.at(0);
    void* recv = buffers.output.at(0);
    const std::vector<std::uint64_t> none(static_cast<std::size_t>(ranks), 0);
    device.transport.reduce_scatter(send, recv, 0, type, ReduceOp::sum);
    device.transport.broadcast(send, recv, 0, type, ranks - 1);
    device.transport.reduce(send, recv, 0, type, ReduceOp::sum, ranks - 1);
    device.transport.gather(send, recv, 0, type, ranks - 1);
    device.transport.scatter(send, recv, 0, type, ranks - 1);
    device.transport.alltoall(send, recv, 0, type);
    device.transport.alltoallv(send, recv, ExchangeBlocks{none, none, none, none, 0}, type);
    device.timeline.synchronize();
    buffers.expect({untouched_run(0, 4)});
  });
}

REGISTER_TYPED_TEST_SUITE_P(VerbContract,
                            EveryReductionIsExact,
                            ReduceScatterIsExact,
                            ReduceScatterWorksInPlace,
                            BroadcastComesFromEveryRoot,
                            BroadcastWorksInPlace,
                            ReduceEndsAtEveryRoot,
                            ReduceWorksInPlace,
                            GatherFillsEveryRoot,
                            GatherWorksInPlace,
                            ScatterComesFromEveryRoot,
                            ScatterWorksInPlace,
                            AlltoallTurnsBlocksRound,
                            AlltoallWorksInPlaceOrIsRefused,
                            AlltoallvKeepsToItsBlocks,
                            BarrierEndsOrIsRefused,
                            CopyKeepsTheOrderOfOperations,
                            NoElementsTouchNothing);

}  // namespace viaduct
