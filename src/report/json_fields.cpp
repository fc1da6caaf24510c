#include "report/json_fields.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace viaduct {

namespace {

using Kind = JsonNode::Kind;

/// The value as it stands in the file, cut to a length that fits one line.
std::string shown(const JsonNode& node) {
  constexpr std::size_t longest = 60;
  std::string text(node.raw.substr(0, longest));
  return node.raw.size() > longest ? text + "..." : text;
}

std::string_view inside(const JsonNode& node) {
  return node.raw.substr(1, node.raw.size() - 2);
}

std::string text_of(const JsonNode& node) {
  return json_unescaped(inside(node));
}

bool is_finite_number(const JsonNode& node) {
  return node.kind == Kind::number && std::isfinite(json_double(node.raw));
}

bool is_int_from_0(const JsonNode& node) {
  const auto number = node.kind == Kind::number ? json_signed(node.raw) : std::nullopt;
  return number && *number >= 0 && *number <= std::numeric_limits<int>::max();
}

}  // namespace

/// A tree with the text that its nodes point into.
struct JsonFields::Copy {
  std::string text;
  JsonTree tree;
};

JsonFields::JsonFields(const JsonTree& tree, std::string what)
    : tree_(&tree),
      what_(std::move(what)) {
  expect_object();
}

JsonFields::JsonFields(const nlohmann::json& object, std::string what)
    : tree_(nullptr),
      what_(std::move(what)) {
  auto copy = std::make_shared<Copy>();
  copy->text = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  copy->tree.parse(copy->text);
  tree_ = &copy->tree;
  copy_ = std::move(copy);
  expect_object();
}

JsonFields::JsonFields(const JsonFields& holder, std::uint32_t index, std::string what)
    : copy_(holder.copy_),
      tree_(holder.tree_),
      index_(index),
      what_(std::move(what)) {
  expect_object();
}

void JsonFields::expect_object() const {
  const JsonNode& node = tree_->nodes().at(index_);
  if (node.kind != Kind::object) {
    throw Error(ErrorKind::io, fmt::format("{} must be an object, is {}", what_, shown(node)));
  }
}

template <typename Use>
void JsonFields::each(std::uint32_t holder, const Use& use) const {
  const std::vector<JsonNode>& nodes = tree_->nodes();
  for (std::uint32_t at = holder + 1; at < nodes[holder].after; at = nodes[at].after) {
    use(nodes[at], at);
  }
}

std::string JsonFields::place(const char* key) const {
  return what_ + "." + key;
}

std::uint32_t JsonFields::index_of(const char* key) const {
  const auto found = tree_->find(index_, key);
  if (!found) {
    throw Error(ErrorKind::io, fmt::format("key '{}' is missing", place(key)));
  }
  return *found;
}

const JsonNode& JsonFields::value(const char* key) const {
  return tree_->nodes()[index_of(key)];
}

void JsonFields::refuse(const char* key, const char* right_form) const {
  throw Error(ErrorKind::io,
              fmt::format("key '{}' must be {}, is {}", place(key), right_form, shown(value(key))));
}

std::string JsonFields::text(const char* key) const {
  const JsonNode& found = value(key);
  if (found.kind != Kind::text) {
    refuse(key, "a text");
  }
  return text_of(found);
}

std::string JsonFields::text_or_empty(const char* key) const {
  return is_null(key) ? std::string() : text(key);
}

bool JsonFields::flag(const char* key) const {
  const JsonNode& found = value(key);
  if (found.kind != Kind::truth) {
    refuse(key, "true or false");
  }
  return found.raw == "true";
}

double JsonFields::number(const char* key) const {
  const JsonNode& found = value(key);
  const double number = found.kind == Kind::number ? json_double(found.raw)
                                                   : std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(number)) {
    refuse(key, "a number");
  }
  return number;
}

double JsonFields::number_from_zero(const char* key) const {
  const double found = number(key);
  if (found < 0) {
    refuse(key, "a number from 0");
  }
  return found;
}

std::uint64_t JsonFields::count(const char* key) const {
  const JsonNode& found = value(key);
  const auto number = found.kind == Kind::number ? json_unsigned(found.raw) : std::nullopt;
  if (!number) {
    refuse(key, "a whole number from 0");
  }
  return *number;
}

int JsonFields::integer(const char* key) const {
  const JsonNode& found = value(key);
  const auto number = found.kind == Kind::number ? json_signed(found.raw) : std::nullopt;
  if (!number || *number < std::numeric_limits<int>::min() ||
      *number > std::numeric_limits<int>::max()) {
    refuse(key, "a whole number of 32 bits");
  }
  return static_cast<int>(*number);
}

std::vector<double> JsonFields::numbers(const char* key) const {
  const std::uint32_t found = index_of(key);
  const JsonNode& list = tree_->nodes()[found];
  std::vector<double> all;
  if (list.kind != Kind::list) {
    refuse(key, "a list of numbers");
  }
  all.reserve(list.count);
  each(found, [&](const JsonNode& entry, std::uint32_t) {
    if (!is_finite_number(entry)) {
      refuse(key, "a list of numbers");
    }
    all.push_back(json_double(entry.raw));
  });
  return all;
}

std::vector<int> JsonFields::integers(const char* key) const {
  const std::uint32_t found = index_of(key);
  std::vector<int> all;
  if (tree_->nodes()[found].kind != Kind::list) {
    refuse(key, "a list of whole numbers from 0");
  }
  each(found, [&](const JsonNode& entry, std::uint32_t) {
    if (!is_int_from_0(entry)) {
      refuse(key, "a list of whole numbers from 0");
    }
    all.push_back(static_cast<int>(*json_signed(entry.raw)));
  });
  return all;
}

std::vector<std::string> JsonFields::texts(const char* key) const {
  const std::uint32_t found = index_of(key);
  std::vector<std::string> all;
  if (tree_->nodes()[found].kind != Kind::list) {
    refuse(key, "a list of texts");
  }
  each(found, [&](const JsonNode& entry, std::uint32_t) {
    if (entry.kind != Kind::text) {
      refuse(key, "a list of texts");
    }
    all.push_back(text_of(entry));
  });
  return all;
}

std::map<std::string, std::string> JsonFields::text_map(const char* key) const {
  const std::uint32_t found = index_of(key);
  std::map<std::string, std::string> all;
  if (tree_->nodes()[found].kind != Kind::object) {
    refuse(key, "an object of texts");
  }
  each(found, [&](const JsonNode& entry, std::uint32_t) {
    if (entry.kind != Kind::text) {
      refuse(key, "an object of texts");
    }
    all[json_unescaped(entry.key)] = text_of(entry);
  });
  return all;
}

std::map<std::string, int> JsonFields::integer_map(const char* key) const {
  const std::uint32_t found = index_of(key);
  std::map<std::string, int> all;
  if (tree_->nodes()[found].kind != Kind::object) {
    refuse(key, "an object of whole numbers from 0");
  }
  const JsonFields entries = object(key);
  each(found, [&](const JsonNode& entry, std::uint32_t) {
    const std::string name = json_unescaped(entry.key);
    all[name] = entries.integer(name.c_str());
  });
  return all;
}

bool JsonFields::is_null(const char* key) const {
  return value(key).kind == Kind::null;
}

bool JsonFields::is_text(const char* key) const {
  return value(key).kind == Kind::text;
}

std::optional<bool> JsonFields::optional_flag(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<bool>(flag(key));
}

std::optional<double> JsonFields::optional_number(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<double>(number(key));
}

std::optional<double> JsonFields::optional_number_from_zero(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<double>(number_from_zero(key));
}

std::optional<std::uint64_t> JsonFields::optional_count(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<std::uint64_t>(count(key));
}

std::optional<int> JsonFields::optional_integer(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<int>(integer(key));
}

bool JsonFields::has(const char* key) const {
  return tree_->find(index_, key).has_value();
}

JsonFields JsonFields::object(const char* key) const {
  return {*this, index_of(key), place(key)};
}

std::vector<JsonFields> JsonFields::objects(const char* key) const {
  const std::uint32_t found = index_of(key);
  std::vector<JsonFields> all;
  if (tree_->nodes()[found].kind != Kind::list) {
    refuse(key, "a list of objects");
  }
  each(found, [&](const JsonNode&, std::uint32_t at) {
    all.push_back(JsonFields(*this, at, fmt::format("{}[{}]", place(key), all.size())));
  });
  return all;
}

}  // namespace viaduct
