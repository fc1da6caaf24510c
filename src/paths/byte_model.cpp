#include "paths/byte_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace viaduct {

namespace {

constexpr double mib = 1024.0 * 1024;

/// Sizes of one operation that all GPUs send together: the least and the most.
struct Factor {
  double low = 0;
  double high = 0;
};

enum class Kind {
  all_reduce,
  gathers,        ///< all_gather
  scatters,       ///< reduce_scatter
  chain,          ///< broadcast, reduce: the vector passes every GPU once
  exchanges,      ///< alltoall, hypercube: all but the own block leaves each GPU
  varies,         ///< alltoallv: by its traffic, at most everything
  one_sided,      ///< gather, scatter
  ring_of_pairs,  ///< sendrecv
  one_way,        ///< pair_unidirectional
  two_ways,       ///< pingpong, pair_bidirectional
  halves          ///< message_rate: half of the GPUs send
};

struct Operation {
  std::string_view name;
  Kind kind;
};

constexpr std::array operations{
    Operation{"all_reduce", Kind::all_reduce},
    Operation{"all_gather", Kind::gathers},
    Operation{"reduce_scatter", Kind::scatters},
    Operation{"broadcast", Kind::chain},
    Operation{"reduce", Kind::chain},
    Operation{"alltoall", Kind::exchanges},
    Operation{"hypercube", Kind::exchanges},
    Operation{"alltoallv", Kind::varies},
    Operation{"gather", Kind::one_sided},
    Operation{"scatter", Kind::one_sided},
    Operation{"sendrecv", Kind::ring_of_pairs},
    Operation{"pingpong", Kind::two_ways},
    Operation{"pair_unidirectional", Kind::one_way},
    Operation{"pair_bidirectional", Kind::two_ways},
    Operation{"message_rate", Kind::halves},
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return text;
}

/// Sends and receives, which no algorithm changes.
bool is_point_to_point(Kind kind) {
  return kind == Kind::exchanges || kind == Kind::varies || kind == Kind::one_sided ||
         kind == Kind::ring_of_pairs || kind == Kind::one_way || kind == Kind::two_ways ||
         kind == Kind::halves;
}

/// Rings, trees and PAT move every byte over as few links as can be.
Factor without_switch(Kind kind, double n) {
  switch (kind) {
    case Kind::all_reduce:
      return {2 * (n - 1), 2 * (n - 1)};
    case Kind::gathers:
    case Kind::scatters:
    case Kind::chain:
    case Kind::exchanges:
      return {n - 1, n - 1};
    case Kind::varies:
      return {0, n};
    case Kind::one_sided:
      return {(n - 1) / n, (n - 1) / n};
    case Kind::ring_of_pairs:
      return {n > 1 ? n : 0, n > 1 ? n : 0};
    case Kind::one_way:
      return {1, 1};
    case Kind::two_ways:
      return {2, 2};
    case Kind::halves:
      return {n / 2, n / 2};
  }
  return {};
}

/// NVLS: the switch adds and copies. Each GPU gives all of its vector to the switch to be added and
/// sends its share of the result once; whether its own share crosses its links too is not told.
Factor with_switch(Kind kind, double n) {
  switch (kind) {
    case Kind::all_reduce:
      return {n, n + 1};
    case Kind::gathers:
      return {(n - 1) / n, 1};
    case Kind::scatters:
      return {n - 1, n};
    default:
      return without_switch(kind, n);
  }
}

Factor wider(Factor a, Factor b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Factor by_algorithm(Kind kind, const std::string& algorithm, double n) {
  if (n <= 1) {
    return {0, 0};
  }
  const bool is_exact = algorithm == "RING" || algorithm == "TREE" || algorithm == "PAT";
  if (is_exact || is_point_to_point(kind)) {
    return without_switch(kind, n);
  }
  if (algorithm == "NVLS") {
    return with_switch(kind, n);
  }
  // NVLS_TREE and CollNet do one thing inside a host and another between hosts.
  return wider(without_switch(kind, n), with_switch(kind, n));
}

/// LL sends a flag with each word of data; LL128 8 bytes of flags with each 120.
Factor by_protocol(const std::string& protocol, bool is_point_to_point) {
  if (protocol == "SIMPLE") {
    return {1, 1};
  }
  if (protocol == "LL128") {
    return {128.0 / 120, 128.0 / 120};
  }
  if (protocol == "LL") {
    return {2, 2};
  }
  // No line of the log names the protocol of sends and receives; only short ones take LL.
  return is_point_to_point ? Factor{1, 1} : Factor{1, 2};
}

std::string percent(double part, double whole) {
  return fmt::format("{:.4g} %", 100 * part / whole);
}

const char* carrier_name(Carrier carrier) {
  return carrier == Carrier::nvlink ? "NVLink" : "NIC";
}

std::string counted_text(const ExpectedBytes& expected, double counted, Carrier carrier) {
  const std::string right =
      expected.low == expected.high
          ? fmt::format("{:.1f} MiB", expected.low / mib)
          : fmt::format("{:.1f} to {:.1f} MiB", expected.low / mib, expected.high / mib);
  return fmt::format("{} counters: {:.1f} MiB of {}", carrier_name(carrier), counted / mib, right);
}

/// Why there is nothing to judge; empty: there is.
std::string why_no_judgement(const ExpectedBytes& expected, const std::optional<double>& counted) {
  if (!expected.is_judged) {
    return expected.why_not;
  }
  return counted ? "" : "the counters are not available on every GPU";
}

}  // namespace

ExpectedBytes expected_bytes(const MovedBatch& batch) {
  ExpectedBytes expected;
  const auto found =
      std::find_if(operations.begin(), operations.end(), [&batch](const auto& known) {
        return known.name == batch.operation;
      });
  expected.payload = static_cast<double>(batch.size_bytes) * static_cast<double>(batch.operations) *
                     std::max(batch.window, 1);
  if (found == operations.end()) {
    expected.is_judged = false;
    expected.why_not = fmt::format("no model says how many bytes {} moves", batch.operation);
    return expected;
  }
  const std::string protocol = upper(batch.protocol);
  const bool is_pairwise = is_point_to_point(found->kind);
  const Factor links = by_algorithm(found->kind, upper(batch.algorithm), batch.ranks);
  const Factor flags = by_protocol(protocol, is_pairwise);
  expected.low = expected.payload * links.low * flags.low;
  expected.high = expected.payload * links.high * flags.high;
  if (protocol == "LL") {
    expected.is_judged = false;
    expected.why_not = "messages of protocol LL are not judged by counters";
  } else if (expected.payload < least_judged_bytes) {
    expected.is_judged = false;
    expected.why_not = fmt::format("{:.1f} MiB are too few to be judged by counters: right: {} MiB",
                                   expected.payload / mib,
                                   least_judged_bytes / mib);
  } else if (expected.high <= 0) {
    expected.is_judged = false;
    expected.why_not = "nothing has to leave a GPU";
  }
  return expected;
}

const char* name(ByteState state) {
  switch (state) {
    case ByteState::proven:
      return "proven";
    case ByteState::contradicted:
      return "contradicted";
    case ByteState::unknown:
      break;
  }
  return "unknown";
}

ByteJudgement judge_bytes(const ExpectedBytes& expected,
                          std::optional<double> counted,
                          Carrier carrier) {
  constexpr double tolerance = 0.01;
  constexpr double headers = 0.10;
  if (const std::string why_not = why_no_judgement(expected, counted); !why_not.empty()) {
    return {ByteState::unknown, why_not};
  }
  const std::string text = counted_text(expected, *counted, carrier);
  if (expected.low <= 0) {
    return {ByteState::unknown, text + ": the least is not known"};
  }
  if (*counted < expected.low * (1 - tolerance)) {
    return {ByteState::contradicted,
            fmt::format("{}: only {} went this way", text, percent(*counted, expected.low))};
  }
  const double above = carrier == Carrier::nic ? headers : tolerance;
  if (*counted > expected.high * (1 + above)) {
    return {ByteState::unknown,
            text + ": more than this case moves; something else used the same links"};
  }
  return {ByteState::proven, text};
}

ByteJudgement judge_absence(const ExpectedBytes& expected,
                            std::optional<double> counted,
                            Carrier carrier) {
  constexpr double most_share = 0.001;
  if (const std::string why_not = why_no_judgement(expected, counted); !why_not.empty()) {
    return {ByteState::unknown, why_not};
  }
  const double whole = expected.low > 0 ? expected.low : expected.high;
  const std::string text = fmt::format("{} counters: {:.1f} MiB, {} of what the case moves",
                                       carrier_name(carrier),
                                       *counted / mib,
                                       percent(*counted, whole));
  if (*counted < whole * most_share) {
    return {ByteState::proven, text};
  }
  // A few bytes of others are no proof that the case itself went this way.
  constexpr double clear_share = 0.5;
  return {*counted >= whole * clear_share ? ByteState::contradicted : ByteState::unknown, text};
}

}  // namespace viaduct
