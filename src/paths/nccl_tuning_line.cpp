#include "paths/nccl_fact_line.hpp"
#include "paths/text_cursor.hpp"

#include <array>

namespace viaduct {

namespace {

/// 2.20 to 2.23 print numbers; the order did not change in between.
constexpr std::array<std::string_view, 7> numbered_algorithms{
    "TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"};
constexpr std::array<std::string_view, 3> numbered_protocols{"LL", "LL128", "SIMPLE"};

/// The word, or the name that the number had; empty when there is none.
template <std::size_t count>
std::string name_of(std::string_view word, const std::array<std::string_view, count>& names) {
  TextCursor cursor(word);
  const std::optional<int> number = cursor.take_count();
  if (!number) {
    return std::string(word);
  }
  const auto index = static_cast<std::size_t>(*number);
  return cursor.at_end() && index < count ? std::string(names[index]) : std::string();
}

/// "AllReduce: ", "AllReduce [Symmetric]: " or nothing. Puts the word in brackets into `algorithm`.
bool take_operation(TextCursor& cursor, LogTuning& tuning) {
  const std::optional<std::string_view> head = cursor.take_until(": ");
  if (!head) {
    return true;  // up to 2.22 a line begins with its bytes
  }
  TextCursor words(*head);
  tuning.operation = words.take_word();
  if (words.take("[")) {
    const auto kind = words.take_until("]");
    if (!kind) {
      return false;
    }
    tuning.algorithm = *kind;
  }
  return words.at_end() && !tuning.operation.empty();
}

/// "{0..3}".
bool take_range(TextCursor& cursor, LogTuning& tuning) {
  const auto take = [&cursor](std::string_view before, int& number) {
    const std::optional<int> value = cursor.take(before) ? cursor.take_count() : std::nullopt;
    number = value.value_or(-1);
    return value.has_value();
  };
  if (!take("{", tuning.channel_lo) || !take("..", tuning.channel_hi) || !cursor.take("}") ||
      tuning.channel_hi < tuning.channel_lo) {
    return false;
  }
  tuning.channels = tuning.channel_hi - tuning.channel_lo + 1;
  return true;
}

/// "RING proto LL channel{Lo..Hi}={0..0}", or "1 proto 2 time 12.5".
bool read_algorithm(TextCursor cursor, LogTuning& tuning) {
  tuning.algorithm = name_of(cursor.take_word(), numbered_algorithms);
  if (tuning.algorithm.empty() || !cursor.take("proto ")) {
    return false;
  }
  tuning.protocol = name_of(cursor.take_word(), numbered_protocols);
  if (tuning.protocol.empty()) {
    return false;
  }
  if (cursor.take("time ")) {
    tuning.time_us = cursor.take_number<double>();
    return tuning.time_us.has_value() && cursor.at_end();
  }
  return cursor.take("channel{Lo..Hi}=") && take_range(cursor, tuning) && cursor.at_end();
}

/// "AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks 1".
bool read_kernel(TextCursor cursor, LogTuning& tuning) {
  tuning.kernel = cursor.take_word();
  const std::optional<int> channels =
      cursor.take("nchannels ") ? cursor.take_count() : std::nullopt;
  tuning.channels = channels.value_or(-1);
  return channels && cursor.take(" nthreads ") && cursor.take_count().has_value();
}

}  // namespace

std::optional<LogTuning> read_tuning(std::string_view message) {
  if (message.find(" Bytes -> ") == std::string_view::npos) {
    return std::nullopt;
  }
  LogTuning tuning;
  TextCursor cursor(message);
  if (!take_operation(cursor, tuning)) {
    return std::nullopt;
  }
  const auto bytes = cursor.take_number<std::uint64_t>();
  if (!bytes || !cursor.take(" Bytes -> ")) {
    return std::nullopt;
  }
  tuning.bytes = *bytes;
  const bool is_copy = tuning.algorithm == "Copy Engine" || tuning.algorithm == "Hierarchical CE";
  const bool is_whole =
      (tuning.algorithm.empty() && cursor.take("Algo ") && read_algorithm(cursor, tuning)) ||
      (tuning.algorithm == "Symmetric" && cursor.take("Kernel ") && read_kernel(cursor, tuning)) ||
      (is_copy && (cursor.take("cudaMemcpy") || cursor.take("RMA proxy + CE")));
  return is_whole ? std::optional(tuning) : std::nullopt;
}

}  // namespace viaduct
