#include "cuda/device_memory.hpp"

#include "gpu/gpu_test.hpp"
#include "nccl/nccl_allocator.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using DeviceMemoryTest = GpuTest;

TEST_F(DeviceMemoryTest, GivesAValidPointerForZeroBytes) {
  const auto buffer = memory().allocate(0, BufferKind::plain);
  EXPECT_NE(buffer->data(), nullptr);
  EXPECT_EQ(buffer->bytes(), 0U);
  memory().poison(buffer->data(), 0);
  const Pattern pattern = make_pattern(1, 2, Datatype::float32, ReduceOp::sum, false);
  memory().fill(buffer->data(), 0, Datatype::float32, pattern, 0, 0);
  EXPECT_EQ(memory().count_wrong(buffer->data(), Datatype::float32, pattern, Segment{}), 0U);
}

TEST_F(DeviceMemoryTest, PoisonsEveryByteAndNoMore) {
  const auto buffer = memory().allocate(1000, BufferKind::plain);
  check(cudaMemsetAsync(buffer->data(), 0, 1000, stream()), "cudaMemsetAsync");
  memory().poison(buffer->data(), 777);
  const auto bytes = read(buffer->data(), 1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(bytes[i], i < 777 ? Memory::poison_byte : 0) << "byte " << i;
  }
}

TEST_F(DeviceMemoryTest, TakesMemoryAndGivesItBack) {
  constexpr std::size_t bytes = std::size_t{512} << 20U;
  const std::uint64_t before = device_memory_info().free_bytes;
  {
    const auto buffer = memory().allocate(bytes, BufferKind::plain);
    EXPECT_LE(device_memory_info().free_bytes, before - bytes);
  }
  EXPECT_GT(device_memory_info().free_bytes, before - bytes / 2);
}

TEST_F(DeviceMemoryTest, SaysHowMuchWasAskedForAndWorksOnAfterwards) {
  const std::size_t too_much = device_memory_info().total_bytes * 2;
  try {
    memory().allocate(too_much, BufferKind::plain);
    FAIL() << "twice the memory of the GPU was allocated";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cuda);
    EXPECT_NE(error.message().find(std::to_string(too_much)), std::string::npos) << error.message();
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  const auto buffer = memory().allocate(16, BufferKind::plain);
  memory().poison(buffer->data(), 16);
  EXPECT_EQ(read(buffer->data(), 16).back(), Memory::poison_byte);
}

TEST_F(DeviceMemoryTest, LeavesRoomForTheLibrary) {
  EXPECT_LT(memory().free_bytes(), device_memory_info().free_bytes);
}

TEST_F(DeviceMemoryTest, TakesLibraryMemoryFromTheLibrary) {
  const NcclLibrary library = load_nccl_library();
  NcclAllocator allocator(library);
  DeviceMemory both(stream(), {allocator, allocator, allocator});
  EXPECT_EQ(both.allocator(BufferKind::plain), "cudaMalloc");
  EXPECT_EQ(both.allocator(BufferKind::nccl),
            library.version >= NCCL_VERSION(2, 19, 0) ? "ncclMemAlloc" : "cudaMalloc");
  constexpr std::uint64_t count = 100003;
  const Pattern pattern = make_pattern(5, 2, Datatype::int64, ReduceOp::sum, false);
  const auto buffer = both.allocate(count * 8, BufferKind::nccl);
  both.fill(buffer->data(), count, Datatype::int64, pattern, 1, 9);
  Segment segment{.kind = Segment::Kind::copied, .count = count, .source = 1, .source_first = 9};
  EXPECT_EQ(both.count_wrong(buffer->data(), Datatype::int64, pattern, segment), 0U);
  segment.source = 0;
  EXPECT_GT(both.count_wrong(buffer->data(), Datatype::int64, pattern, segment), count / 2);
}

TEST_F(DeviceMemoryTest, FallsBackWhereTheLibraryHasNoAllocator) {
  NcclAllocator allocator(NcclLibrary{.version = NCCL_VERSION(2, 18, 5)});
  EXPECT_EQ(allocator.name(), "cudaMalloc");
  void* memory = allocator.allocate(4096);
  EXPECT_NE(memory, nullptr);
  allocator.release(memory);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

}  // namespace
}  // namespace viaduct
