#pragma once
// How many bytes a batch must move over NVLink or the NICs, summed over what the GPUs send (TX),
// and whether what was counted proves it. Pure.

#include <cstdint>
#include <optional>
#include <string>

namespace viaduct {

/// Everything that ran between the two readings of the counters.
struct MovedBatch {
  std::string operation;
  std::uint64_t size_bytes = 0;  ///< as the operation means it
  int ranks = 0;
  std::uint64_t operations = 1;  ///< lead-in and checked operations too
  std::string
      algorithm{};         ///< as NCCL writes it in any case: RING, TREE, NVLS, PAT; empty: unknown
  std::string protocol{};  ///< LL, LL128, SIMPLE; empty: unknown
  int window = 0;          ///< messages of one operation; 0 is 1
};

/// Bytes over all GPUs. low == high where the algorithm is known.
struct ExpectedBytes {
  double low = 0;
  double high = 0;
  double payload = 0;  ///< size of all operations together, by which a batch is large enough
  bool is_judged = true;
  std::string why_not;  ///< why no count can be judged by this: LL messages, small batches
};

ExpectedBytes expected_bytes(const MovedBatch& batch);

enum class ByteState { unknown, proven, contradicted };

const char* name(ByteState state);

struct ByteJudgement {
  ByteState state = ByteState::unknown;
  std::string reason;
};

/// What carries the bytes: NICs count headers too.
enum class Carrier { nvlink, nic };

/// Batches below this are not judged.
constexpr double least_judged_bytes = 64.0 * 1024 * 1024;

/// `counted`: summed over the GPUs; empty: not available on some of them. Proven within 1 % of what
/// is expected (a NIC: up to 10 % more); fewer bytes contradict, more are unknown: others may use
/// the links.
ByteJudgement judge_bytes(const ExpectedBytes& expected,
                          std::optional<double> counted,
                          Carrier carrier = Carrier::nvlink);

/// That the bytes did not go this way: under 0.1 % of what they would have been.
ByteJudgement judge_absence(const ExpectedBytes& expected,
                            std::optional<double> counted,
                            Carrier carrier = Carrier::nvlink);

}  // namespace viaduct
