#include "nccl/nccl_id.hpp"

#include "core/error.hpp"
#include "nccl/nccl_error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>

namespace viaduct {

namespace {

constexpr std::size_t id_bytes = NCCL_UNIQUE_ID_BYTES;
constexpr int hexadecimal = 16;

}  // namespace

ncclUniqueId make_unique_id() {
  ncclUniqueId id{};
  check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  return id;
}

std::string id_text(const ncclUniqueId& id) {
  std::string text;
  text.reserve(2 * id_bytes);
  for (const char byte : id.internal) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

ncclUniqueId parse_id(std::string_view text) {
  if (text.size() != 2 * id_bytes) {
    throw Error(ErrorKind::internal,
                fmt::format("an NCCL id of {} digits; {} are right", text.size(), 2 * id_bytes));
  }
  ncclUniqueId id{};
  for (std::size_t i = 0; i < id_bytes; ++i) {
    const char* begin = text.data() + 2 * i;
    unsigned char byte = 0;
    const auto [end, failure] = std::from_chars(begin, begin + 2, byte, hexadecimal);
    if (failure != std::errc{} || end != begin + 2) {
      throw Error(ErrorKind::internal,
                  fmt::format("'{}' in an NCCL id is not hexadecimal", std::string(begin, 2)));
    }
    id.internal[i] = static_cast<char>(byte);
  }
  return id;
}

}  // namespace viaduct
