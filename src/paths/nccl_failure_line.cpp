#include "paths/nccl_failure_line.hpp"

#include "paths/text_cursor.hpp"

#include <array>

namespace viaduct {

namespace {

struct NcclResultWords {
  int code;
  std::string_view words;
};

/// ncclResult_t, with what ncclGetErrorString begins with in every version.
constexpr std::array result_words{
    NcclResultWords{1, "unhandled cuda error"},
    NcclResultWords{2, "unhandled system error"},
    NcclResultWords{3, "internal error"},
    NcclResultWords{4, "invalid argument"},
    NcclResultWords{5, "invalid usage"},
    NcclResultWords{6, "remote process exited or there was a network error"},
};

/// "transport/net_socket.cc:399".
bool is_source_place(std::string_view place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || place.find(' ') != std::string_view::npos) {
    return false;
  }
  const std::string_view file = place.substr(0, colon);
  TextCursor line(place.substr(colon + 1));
  const bool is_source = file.ends_with(".cc") || file.ends_with(".h") || file.ends_with(".cu");
  return is_source && line.take_count() && line.at_end();
}

}  // namespace

std::optional<LogFailure> read_failure(std::string_view message) {
  TextCursor cursor(message);
  const auto place = cursor.take_until(" -> ");
  if (!place || !is_source_place(*place)) {
    return std::nullopt;
  }
  const std::optional<int> code = cursor.take_count();
  const bool is_whole = cursor.at_end() || cursor.take(" [Async thread]");
  if (!code || *code == 0 || !is_whole) {
    return std::nullopt;
  }
  LogFailure failure;
  failure.code = *code;
  for (const NcclResultWords& known : result_words) {
    failure.meaning = known.code == *code ? std::string(known.words) : failure.meaning;
  }
  failure.first = *place;
  failure.last = *place;
  return failure;
}

std::optional<LogFailure> read_told_failure(std::string_view line) {
  if (line.find("NCCL") == std::string_view::npos && line.find("nccl") == std::string_view::npos) {
    return std::nullopt;
  }
  for (const NcclResultWords& known : result_words) {
    if (line.find(known.words) != std::string_view::npos) {
      LogFailure failure;
      failure.code = known.code;
      failure.meaning = known.words;
      failure.text = line;
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace viaduct
