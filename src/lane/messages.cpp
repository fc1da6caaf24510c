#include "lane/messages.hpp"

#include "lane/cbor_archive.hpp"
#include "lane/cbor_document.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace viaduct {

namespace {

using nlohmann::json;

constexpr const char* type_key = "type";

/// In the order of the alternatives of the variants.
constexpr std::array request_names{
    "hello", "make_id", "init", "describe", "open", "batch", "close", "quit"};
constexpr std::array reply_names{
    "hello", "make_id", "init", "describe", "open", "batch", "done", "failure"};
static_assert(request_names.size() == std::variant_size_v<Request>);
static_assert(reply_names.size() == std::variant_size_v<Reply>);

template <typename Variant>
std::vector<std::uint8_t> encode_as(const char* type, const Variant& message) {
  json object = json::object();
  object[type_key] = type;
  CborWriter writer(object);
  std::visit([&writer](const auto& alternative) { fields(writer, alternative); }, message);
  return json::to_cbor(object);
}

template <typename Variant, std::size_t I>
void read_alternative(CborReader& reader, std::size_t wanted, Variant& message) {
  if (I == wanted) {
    fields(reader, message.template emplace<I>());
  }
}

template <typename Variant, std::size_t... I>
Variant read_alternatives(CborReader& reader, std::size_t wanted, std::index_sequence<I...>) {
  Variant message;
  (read_alternative<Variant, I>(reader, wanted, message), ...);
  return message;
}

template <typename Names>
std::size_t index_of_type(const json& object, const Names& names, const char* what) {
  if (!object.is_object()) {
    throw Error(ErrorKind::lost,
                fmt::format("{} is not an object but of type {}", what, object.type_name()));
  }
  const auto type = object.find(type_key);
  if (type == object.end() || !type->is_string()) {
    throw Error(ErrorKind::lost, fmt::format("{} lacks the text '{}'", what, type_key));
  }
  const auto& text = type->template get_ref<const std::string&>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) {
      return i;
    }
  }
  throw Error(ErrorKind::lost, fmt::format("{} has the unknown type '{}'", what, text));
}

template <typename Variant, typename Names>
Variant decode_as(const std::vector<std::uint8_t>& document, const Names& names, const char* what) {
  const json object = parse_cbor(document);
  const std::size_t index = index_of_type(object, names, what);
  CborReader reader(object, fmt::format("{} of type '{}'", what, names[index]));
  return read_alternatives<Variant>(
      reader, index, std::make_index_sequence<std::variant_size_v<Variant>>());
}

}  // namespace

const char* phase(const Request& request) {
  return request_names.at(request.index());
}

const char* type_name(const Reply& reply) {
  return reply_names.at(reply.index());
}

std::vector<std::uint8_t> encode(const Request& request) {
  return encode_as(phase(request), request);
}

std::vector<std::uint8_t> encode(const Reply& reply) {
  return encode_as(type_name(reply), reply);
}

Request decode_request(const std::vector<std::uint8_t>& document) {
  return decode_as<Request>(document, request_names, "a request");
}

Reply decode_reply(const std::vector<std::uint8_t>& document) {
  return decode_as<Reply>(document, reply_names, "a reply");
}

}  // namespace viaduct
