#pragma once
// What every transport with its memory and timeline must do; verb_contract.hpp has the verbs of
// collectives, case_contract.hpp whole cases. A suite for a type HARNESS with
//   static void run(const std::function<void(Device)>& body)   calls body on every rank, each with
//   its own device.
// Data is made and compared through Memory only, so that it may lie on a GPU.

#include "contract/contract_array.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace viaduct {

template <typename Harness>
class TransportContract : public testing::Test {};

TYPED_TEST_SUITE_P(TransportContract);

TYPED_TEST_P(TransportContract, RankIsOneOfItsSize) {
  TypeParam::run([](Device device) {
    EXPECT_GE(device.transport.rank(), 0);
    EXPECT_LT(device.transport.rank(), device.transport.size());
  });
}

TYPED_TEST_P(TransportContract, AllReduceIsExact) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : {Datatype::float32, Datatype::int32, Datatype::float64}) {
      const Pattern pattern = make_pattern(5, ranks, type, ReduceOp::sum, true);
      for (const std::uint64_t count : contract_counts()) {
        ContractArray input(device, type, count, pattern);
        ContractArray output(device, type, count + 1, pattern);
        input.fill_own(0, count);
        device.transport.all_reduce(input.at(0), output.at(0), count, type, ReduceOp::sum);
        device.timeline.synchronize();
        EXPECT_EQ(output.wrong_sum(count), 0U) << name(type) << " " << count;
        EXPECT_EQ(output.touched(count, 1), 0U) << "wrote behind the end";
        EXPECT_EQ(input.wrong_copy(0, count, device.transport.rank()), 0U) << "input has changed";
      }
    }
  });
}

TYPED_TEST_P(TransportContract, AllReduceWorksInPlace) {
  TypeParam::run([](Device device) {
    const Pattern pattern =
        make_pattern(6, device.transport.size(), Datatype::int32, ReduceOp::sum, true);
    for (const std::uint64_t count : contract_counts()) {
      ContractArray array(device, Datatype::int32, count, pattern);
      array.fill_own(0, count);
      device.transport.all_reduce(array.at(0), array.at(0), count, Datatype::int32, ReduceOp::sum);
      device.timeline.synchronize();
      EXPECT_EQ(array.wrong_sum(count), 0U) << count;
    }
  });
}

TYPED_TEST_P(TransportContract, AllGatherPutsBlocksInRankOrder) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    for (const Datatype type : all_datatypes()) {
      const Pattern pattern = make_pattern(7, ranks, type, ReduceOp::sum, false);
      for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{1003}}) {
        ContractArray input(device, type, count, pattern);
        ContractArray output(device, type, count * as_count(ranks) + 1, pattern);
        input.fill_own(0, count);
        device.transport.all_gather(input.at(0), output.at(0), count, type);
        device.timeline.synchronize();
        for (int source = 0; source < ranks; ++source) {
          EXPECT_EQ(output.wrong_copy(count * as_count(source), count, source), 0U) << name(type);
        }
        EXPECT_EQ(output.touched(count * as_count(ranks), 1), 0U) << "wrote behind the end";
      }
    }
  });
}

TYPED_TEST_P(TransportContract, AllGatherWorksInPlace) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const std::uint64_t count = 517;
    const std::uint64_t own = count * as_count(device.transport.rank());
    const Pattern pattern = make_pattern(8, ranks, Datatype::float32, ReduceOp::sum, false);
    ContractArray array(device, Datatype::float32, count * as_count(ranks), pattern);
    array.fill_own(own, count);
    device.transport.all_gather(array.at(own), array.at(0), count, Datatype::float32);
    device.timeline.synchronize();
    for (int source = 0; source < ranks; ++source) {
      EXPECT_EQ(array.wrong_copy(count * as_count(source), count, source), 0U);
    }
  });
}

TYPED_TEST_P(TransportContract, GroupExchangesWithEveryRank) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const std::uint64_t count = 100'003;
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(9, ranks, type, ReduceOp::sum, false);
    ContractArray input(device, type, count, pattern);
    ContractArray output(device, type, count * as_count(ranks), pattern);
    input.fill_own(0, count);
    // All sends first: outside a group this order would wait for ever.
    device.transport.group_begin();
    for (int peer = 0; peer < ranks; ++peer) {
      device.transport.send(input.at(0), count, type, peer);
    }
    for (int peer = 0; peer < ranks; ++peer) {
      device.transport.recv(output.at(count * as_count(peer)), count, type, peer);
    }
    device.transport.group_end();
    device.timeline.synchronize();
    for (int source = 0; source < ranks; ++source) {
      EXPECT_EQ(output.wrong_copy(count * as_count(source), count, source), 0U);
    }
  });
}

TYPED_TEST_P(TransportContract, LargeMessagesBothWaysDoNotWaitForEachOther) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const int rank = device.transport.rank();
    const std::uint64_t count = 2'000'000;
    const Datatype type = Datatype::int32;
    const Pattern pattern = make_pattern(10, ranks, type, ReduceOp::sum, false);
    ContractArray input(device, type, count, pattern);
    ContractArray output(device, type, count, pattern);
    input.fill_own(0, count);
    const int previous = (rank + ranks - 1) % ranks;
    device.transport.group_begin();
    device.transport.send(input.at(0), count, type, (rank + 1) % ranks);
    device.transport.recv(output.at(0), count, type, previous);
    device.transport.group_end();
    device.timeline.synchronize();
    EXPECT_EQ(output.wrong_copy(0, count, previous), 0U);
  });
}

TYPED_TEST_P(TransportContract, NoElementsTouchNothing) {
  TypeParam::run([](Device device) {
    const int ranks = device.transport.size();
    const int rank = device.transport.rank();
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(11, ranks, type, ReduceOp::sum, true);
    ContractArray input(device, type, 0, pattern);
    ContractArray output(device, type, 4, pattern);
    device.transport.all_reduce(input.at(0), output.at(0), 0, type, ReduceOp::sum);
    device.transport.all_gather(input.at(0), output.at(0), 0, type);
    device.transport.group_begin();
    device.transport.send(input.at(0), 0, type, (rank + 1) % ranks);
    device.transport.recv(output.at(0), 0, type, (rank + ranks - 1) % ranks);
    device.transport.group_end();
    device.timeline.synchronize();
    EXPECT_EQ(output.touched(0, 4), 0U);
  });
}

TYPED_TEST_P(TransportContract, MemoryCountsWhatIsWrong) {
  TypeParam::run([](Device device) {
    for (const Datatype type : all_datatypes()) {
      const Pattern pattern = make_pattern(12, 3, type, ReduceOp::sum, false);
      ContractArray array(device, type, 1000, pattern);
      device.memory.fill(array.at(0), 1000, type, pattern, 2, 0);
      EXPECT_EQ(array.wrong_copy(0, 1000, 2), 0U) << name(type);
      for (const std::uint64_t at : {0U, 500U, 997U}) {
        device.memory.poison(array.at(at), 3 * element_bytes(type));
        // One byte of poison may be the right value of a narrow type.
        const std::uint64_t least = element_bytes(type) == 1 ? 2 : 3;
        EXPECT_GE(array.wrong_copy(0, 1000, 2), least) << name(type) << " at " << at;
        EXPECT_LE(array.wrong_copy(0, 1000, 2), 3U) << name(type) << " at " << at;
        EXPECT_EQ(array.touched(at, 3), 0U) << name(type);
        device.memory.fill(array.at(at), 3, type, pattern, 2, at);
        EXPECT_EQ(array.wrong_copy(0, 1000, 2), 0U) << name(type);
      }
    }
  });
}

TYPED_TEST_P(TransportContract, BuffersAreAlignedAndZeroBytesAreLegal) {
  TypeParam::run([](Device device) {
    for (const std::size_t bytes : {0U, 1U, 255U, 4096U}) {
      const auto buffer = device.memory.allocate(bytes, BufferKind::plain);
      EXPECT_NE(buffer->data(), nullptr);
      EXPECT_GE(buffer->bytes(), bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 256, 0U);
    }
    EXPECT_GT(device.memory.free_bytes(), 0U);
    EXPECT_FALSE(device.memory.allocator(BufferKind::plain).empty());
  });
}

TYPED_TEST_P(TransportContract, MemoryThatIsNotThereIsRefused) {
  TypeParam::run([](Device device) {
    EXPECT_THROW(device.memory.allocate(std::size_t{1} << 55U, BufferKind::plain), Error);
  });
}

TYPED_TEST_P(TransportContract, MarksGoForward) {
  TypeParam::run([](Device device) {
    device.timeline.reserve(3);
    device.timeline.mark(0);
    device.timeline.mark(1);
    device.timeline.mark(2);
    device.timeline.synchronize();
    EXPECT_GE(device.timeline.elapsed_us(0, 1), 0);
    EXPECT_GE(device.timeline.elapsed_us(0, 2), device.timeline.elapsed_us(0, 1));
  });
}

TYPED_TEST_P(TransportContract, CaptureRunsAtLaunchOrIsRefused) {
  TypeParam::run([](Device device) {
    const std::uint64_t count = 1000;
    const Datatype type = Datatype::float32;
    const Pattern pattern = make_pattern(13, device.transport.size(), type, ReduceOp::sum, true);
    ContractArray input(device, type, count, pattern);
    ContractArray output(device, type, count, pattern);
    input.fill_own(0, count);
    device.timeline.synchronize();
    const auto enqueue = [&] {
      device.transport.all_reduce(input.at(0), output.at(0), count, type, ReduceOp::sum);
    };
    if (!device.timeline.has_graphs()) {
      EXPECT_THROW(device.timeline.capture(enqueue), Error);
      return;
    }
    const auto graph = device.timeline.capture(enqueue);
    EXPECT_EQ(output.touched(0, count), 0U) << "ran while it was captured";
    device.timeline.launch(*graph);
    device.timeline.synchronize();
    EXPECT_EQ(output.wrong_sum(count), 0U);
  });
}

REGISTER_TYPED_TEST_SUITE_P(TransportContract,
                            RankIsOneOfItsSize,
                            AllReduceIsExact,
                            AllReduceWorksInPlace,
                            AllGatherPutsBlocksInRankOrder,
                            AllGatherWorksInPlace,
                            GroupExchangesWithEveryRank,
                            LargeMessagesBothWaysDoNotWaitForEachOther,
                            NoElementsTouchNothing,
                            MemoryCountsWhatIsWrong,
                            BuffersAreAlignedAndZeroBytesAreLegal,
                            MemoryThatIsNotThereIsRefused,
                            MarksGoForward,
                            CaptureRunsAtLaunchOrIsRefused);

}  // namespace viaduct
