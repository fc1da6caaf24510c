#include "app/copy_judgement.hpp"

#include "core/copy_operation.hpp"
#include "paths/byte_model.hpp"

namespace viaduct {

namespace {

constexpr double negligible_share = 0.01;

bool is_between_gpus(const CopyOperation& operation, const CopyEnds& ends) {
  const bool is_host = operation.shape == CopyShape::host_to_device ||
                       operation.shape == CopyShape::device_to_host ||
                       operation.shape == CopyShape::host_both_ways;
  const bool has_bytes = operation.has_size && operation.timing == CopyTiming::transfer;
  return has_bytes && !is_host && ends.from != ends.to;
}

bool needs_gpus(const CopyOperation& operation) {
  return operation.shape == CopyShape::all_to_one || operation.shape == CopyShape::one_to_all;
}

ExpectedBytes expected_of(const WatchedCase& watched, const CopyOperation& operation, int gpus) {
  ExpectedBytes expected;
  expected.payload = static_cast<double>(watched.size_bytes) *
                     static_cast<double>(watched.sent->operations) *
                     copies_at_once(operation, gpus);
  expected.low = expected.payload;
  expected.high = expected.payload;
  return expected;
}

bool must_be(const PathSpec& path, const char* what, const char* value) {
  const auto found = path.must.find(what);
  return found != path.must.end() && found->second == value;
}

EvidenceState state_of(ByteState state) {
  return state == ByteState::proven         ? EvidenceState::proven
         : state == ByteState::contradicted ? EvidenceState::contradicted
                                            : EvidenceState::unknown;
}

ByteJudgement judge(const WatchedCase& watched, const ExpectedBytes& expected) {
  const std::optional<double> sent = watched.sent->bytes.nvlink;
  if (must_be(watched.path, "nvlink", "none")) {
    return judge_absence(expected, sent);
  }
  if (sent && *sent < negligible_share * expected.payload) {
    return {ByteState::unknown,
            "no NVLink bytes: over PCIe between the GPUs, or through host memory; counters do not "
            "tell which"};
  }
  return judge_bytes(expected, sent);
}

}  // namespace

std::optional<CaseEvidence> judge_copy(const WatchedCase& watched, int gpus) {
  const CopyOperation* operation = find_copy_operation(watched.c.operation);
  if (operation == nullptr || !is_between_gpus(*operation, watched.c.ends) ||
      !is_judged(watched.path)) {
    return std::nullopt;
  }
  CaseEvidence evidence;
  if (!watched.sent) {
    evidence.reason = "no batch was large enough to count";
    return evidence;
  }
  if (needs_gpus(*operation) && gpus == 0) {
    evidence.reason = "hosts have different numbers of GPUs";
    return evidence;
  }
  const ExpectedBytes expected = expected_of(watched, *operation, gpus);
  const ByteJudgement judged = judge(watched, expected);
  evidence.state = state_of(judged.state);
  evidence.reason = judged.reason;
  evidence.by = judged.state == ByteState::unknown ? "" : "counter";
  CountedBytes counted;
  counted.sent = watched.sent->bytes;
  counted.low_bytes = expected.low;
  counted.high_bytes = expected.high;
  counted.operations = watched.sent->operations;
  counted.why_not = watched.sent->bytes.nvlink ? "" : "NVLink bytes are not available";
  evidence.counted = counted;
  return evidence;
}

void add_case(PathEvidence& path, const CaseEvidence& evidence) {
  const bool is_graver =
      evidence.state == EvidenceState::contradicted && path.state != EvidenceState::contradicted;
  const bool is_first_proof =
      evidence.state == EvidenceState::proven && path.state == EvidenceState::unknown;
  const bool has_nothing = path.state == EvidenceState::unknown && path.reason.empty();
  if (is_graver || is_first_proof || has_nothing) {
    path.state = evidence.state;
    path.reason = evidence.reason;
  }
}

}  // namespace viaduct
