#include "core/element_bits.hpp"
#include "core/error.hpp"
#include "cuda/cuda_error.hpp"
#include "cuda/fill_verify.hpp"

#include <type_traits>

namespace viaduct {

namespace {

constexpr unsigned int threads_per_block = 256;
constexpr std::uint64_t most_blocks = 2048;
constexpr unsigned int warp_threads = 32;
constexpr unsigned int all_lanes = 0xFFFFFFFFU;

/// atomicAdd knows this type of 64 bits only.
using Counter = unsigned long long;
static_assert(sizeof(Counter) == sizeof(std::uint64_t));

constexpr int bytes_of(Datatype type) {
  switch (type) {
    case Datatype::int8:
    case Datatype::uint8:
    case Datatype::float8e4m3:
    case Datatype::float8e5m2:
      return 1;
    case Datatype::float16:
    case Datatype::bfloat16:
      return 2;
    case Datatype::int32:
    case Datatype::uint32:
    case Datatype::float32:
      return 4;
    case Datatype::int64:
    case Datatype::uint64:
    case Datatype::float64:
      return 8;
  }
  return 0;
}

/// Elements are written and compared as words of their own length.
template <int bytes>
struct WordOfBytes;

template <>
struct WordOfBytes<1> {
  using Type = std::uint8_t;
};

template <>
struct WordOfBytes<2> {
  using Type = std::uint16_t;
};

template <>
struct WordOfBytes<4> {
  using Type = std::uint32_t;
};

template <>
struct WordOfBytes<8> {
  using Type = std::uint64_t;
};

template <Datatype type>
using WordOf = typename WordOfBytes<bytes_of(type)>::Type;

template <Datatype type>
__device__ WordOf<type> word(std::int64_t value) {
  return static_cast<WordOf<type>>(element_bits(type, value));
}

__device__ std::uint64_t first_index() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::uint64_t index_stride() {
  return static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
}

/// Sum over the block; the result is valid in thread 0. Every thread of the block must call it.
__device__ Counter sum_over_block(Counter value) {
  __shared__ Counter of_warp[threads_per_block / warp_threads];
  for (unsigned int distance = warp_threads / 2; distance > 0; distance /= 2) {
    value += __shfl_down_sync(all_lanes, value, distance);
  }
  if (threadIdx.x % warp_threads == 0) {
    of_warp[threadIdx.x / warp_threads] = value;
  }
  __syncthreads();
  Counter sum = 0;
  if (threadIdx.x == 0) {
    for (const Counter part : of_warp) {
      sum += part;
    }
  }
  return sum;
}

/// The switches over kind and reduction go the same way in every thread of a launch, so that they
/// cost little next to the drawing of the values.
template <Datatype type>
__device__ WordOf<type> expected_word(const Pattern& pattern,
                                      const Segment& segment,
                                      unsigned char poison_byte,
                                      std::uint64_t j) {
  switch (segment.kind) {
    case Segment::Kind::copied:
      return word<type>(pattern_value(pattern, segment.source, segment.source_first + j));
    case Segment::Kind::reduced: {
      const std::int64_t value = pattern_reduced(pattern, segment.source_first + j);
      return pattern.op == ReduceOp::avg
                 ? static_cast<WordOf<type>>(quotient_bits(type, value, pattern.ranks))
                 : word<type>(value);
    }
    case Segment::Kind::untouched:
      break;
  }
  return static_cast<WordOf<type>>(0x0101010101010101ULL * poison_byte);
}

template <Datatype type>
__global__ void fill_kernel(
    WordOf<type>* at, std::uint64_t count, Pattern pattern, int rank, std::uint64_t source_first) {
  for (std::uint64_t j = first_index(); j < count; j += index_stride()) {
    at[j] = word<type>(pattern_value(pattern, rank, source_first + j));
  }
}

template <Datatype type>
__global__ void compare_kernel(const WordOf<type>* at,
                               Pattern pattern,
                               Segment segment,
                               unsigned char poison_byte,
                               Counter* wrong) {
  const int tolerance = segment.kind == Segment::Kind::reduced ? pattern.tolerance_ulp : 0;
  Counter mine = 0;
  for (std::uint64_t j = first_index(); j < segment.count; j += index_stride()) {
    const WordOf<type> right = expected_word<type>(pattern, segment, poison_byte, j);
    mine += is_within_ulp(type, at[segment.first + j], right, tolerance) ? 0 : 1;
  }
  const Counter sum = sum_over_block(mine);
  if (threadIdx.x == 0 && sum != 0) {
    atomicAdd(wrong, sum);
  }
}

template <Datatype type>
using Constant = std::integral_constant<Datatype, type>;

/// Calls `visit` with the datatype as a constant of the type system, so that each kernel is
/// compiled for it.
template <typename Visit>
void with_constant(Datatype type, Visit visit) {
  // clang-format off
  switch (type) {
    case Datatype::int8: return visit(Constant<Datatype::int8>{});
    case Datatype::uint8: return visit(Constant<Datatype::uint8>{});
    case Datatype::int32: return visit(Constant<Datatype::int32>{});
    case Datatype::uint32: return visit(Constant<Datatype::uint32>{});
    case Datatype::int64: return visit(Constant<Datatype::int64>{});
    case Datatype::uint64: return visit(Constant<Datatype::uint64>{});
    case Datatype::float16: return visit(Constant<Datatype::float16>{});
    case Datatype::bfloat16: return visit(Constant<Datatype::bfloat16>{});
    case Datatype::float32: return visit(Constant<Datatype::float32>{});
    case Datatype::float64: return visit(Constant<Datatype::float64>{});
    case Datatype::float8e4m3: return visit(Constant<Datatype::float8e4m3>{});
    case Datatype::float8e5m2: return visit(Constant<Datatype::float8e5m2>{});
  }
  // clang-format on
  throw Error(ErrorKind::internal, "a datatype that the kernels do not know");
}

cudaLaunchConfig_t launch_config(std::uint64_t elements, cudaStream_t stream) {
  const std::uint64_t wanted = (elements + threads_per_block - 1) / threads_per_block;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned int>(wanted < most_blocks ? wanted : most_blocks));
  config.blockDim = dim3(threads_per_block);
  config.stream = stream;
  return config;
}

}  // namespace

void load_kernels() {
  for (const Datatype each : all_datatypes()) {
    with_constant(each, [](auto type) {
      cudaFuncAttributes attributes{};
      check(cudaFuncGetAttributes(&attributes, fill_kernel<type()>), "cudaFuncGetAttributes");
      check(cudaFuncGetAttributes(&attributes, compare_kernel<type()>), "cudaFuncGetAttributes");
    });
  }
}

void enqueue_fill(void* at,
                  std::uint64_t count,
                  Datatype type,
                  const Pattern& pattern,
                  int rank,
                  std::uint64_t source_first,
                  cudaStream_t stream) {
  if (count == 0) {
    return;
  }
  const cudaLaunchConfig_t config = launch_config(count, stream);
  with_constant(type, [&](auto constant) {
    auto* words = static_cast<WordOf<constant()>*>(at);
    check(cudaLaunchKernelEx(
              &config, fill_kernel<constant()>, words, count, pattern, rank, source_first),
          "launch of fill_kernel");
  });
}

void enqueue_compare(const void* at,
                     Datatype type,
                     const Pattern& pattern,
                     const Segment& segment,
                     unsigned char poison_byte,
                     std::uint64_t* wrong,
                     cudaStream_t stream) {
  if (segment.count == 0) {
    return;
  }
  const cudaLaunchConfig_t config = launch_config(segment.count, stream);
  auto* counter = reinterpret_cast<Counter*>(wrong);
  with_constant(type, [&](auto constant) {
    const auto* words = static_cast<const WordOf<constant()>*>(at);
    check(cudaLaunchKernelEx(
              &config, compare_kernel<constant()>, words, pattern, segment, poison_byte, counter),
          "launch of compare_kernel");
  });
}

}  // namespace viaduct
