#include "lane/cbor_document.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

namespace viaduct {

namespace {

using nlohmann::json;

/// Builds the value as the parser walks the document, and stops the parser where it nests too deep.
class DocumentBuilder : public json::json_sax_t {
 public:
  bool null() override { return put(nullptr); }

  bool boolean(bool value) override { return put(value); }

  bool number_integer(number_integer_t value) override { return put(value); }

  bool number_unsigned(number_unsigned_t value) override { return put(value); }

  bool number_float(number_float_t value, const string_t& /*text*/) override { return put(value); }

  bool string(string_t& value) override { return put(std::move(value)); }

  bool binary(binary_t& value) override { return put(std::move(value)); }

  bool key(string_t& key) override {
    key_ = std::move(key);
    return true;
  }

  bool start_object(std::size_t /*count*/) override { return open(json::object()); }

  bool start_array(std::size_t /*count*/) override { return open(json::array()); }

  bool end_object() override { return close(); }

  bool end_array() override { return close(); }

  bool parse_error(std::size_t /*at*/,
                   const std::string& /*token*/,
                   const json::exception& error) override {
    problem_ = error.what();
    return false;
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

  json take() { return std::move(root_); }

 private:
  bool put(json value) {
    place(std::move(value));
    return true;
  }

  /// A place stays valid while it is open: what holds it is not added to before it is closed.
  json& place(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return root_;
    }
    json& holder = *open_.back();
    if (holder.is_array()) {
      return holder.emplace_back(std::move(value));
    }
    return holder[key_] = std::move(value);
  }

  bool open(json container) {
    if (open_.size() >= max_cbor_depth) {
      problem_ = fmt::format("nested deeper than {}", max_cbor_depth);
      return false;
    }
    open_.push_back(&place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;
  std::string key_;
  std::string problem_;
};

}  // namespace

json parse_cbor(const std::vector<std::uint8_t>& document) {
  DocumentBuilder builder;
  if (!json::sax_parse(document, &builder, json::input_format_t::cbor)) {
    throw Error(ErrorKind::lost, fmt::format("not a CBOR document: {}", builder.problem()));
  }
  return builder.take();
}

}  // namespace viaduct
