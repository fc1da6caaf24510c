#include "report/json_fields.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace viaduct {

namespace {

/// The value as it stands in the file, cut to a length that fits one line.
std::string shown(const nlohmann::json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > longest) {
    text = text.substr(0, longest) + "...";
  }
  return text;
}

}  // namespace

JsonFields::JsonFields(const nlohmann::json& object, std::string what)
    : object_(&object),
      what_(std::move(what)) {
  if (!object.is_object()) {
    throw Error(ErrorKind::io, fmt::format("{} must be an object, is {}", what_, shown(object)));
  }
}

std::string JsonFields::place(const char* key) const {
  return what_ + "." + key;
}

const nlohmann::json& JsonFields::value(const char* key) const {
  const auto found = object_->find(key);
  if (found == object_->end()) {
    throw Error(ErrorKind::io, fmt::format("key '{}' is missing", place(key)));
  }
  return *found;
}

void JsonFields::refuse(const char* key, const char* right_form) const {
  throw Error(ErrorKind::io,
              fmt::format("key '{}' must be {}, is {}", place(key), right_form, shown(value(key))));
}

std::string JsonFields::text(const char* key) const {
  const nlohmann::json& found = value(key);
  if (!found.is_string()) {
    refuse(key, "a text");
  }
  return found.get<std::string>();
}

std::string JsonFields::text_or_empty(const char* key) const {
  return is_null(key) ? std::string() : text(key);
}

bool JsonFields::flag(const char* key) const {
  const nlohmann::json& found = value(key);
  if (!found.is_boolean()) {
    refuse(key, "true or false");
  }
  return found.get<bool>();
}

double JsonFields::number(const char* key) const {
  const nlohmann::json& found = value(key);
  if (!found.is_number()) {
    refuse(key, "a number");
  }
  return found.get<double>();
}

std::uint64_t JsonFields::count(const char* key) const {
  const nlohmann::json& found = value(key);
  const bool is_whole =
      found.is_number_unsigned() || (found.is_number_integer() && found.get<std::int64_t>() >= 0);
  if (!is_whole) {
    refuse(key, "a whole number from 0");
  }
  return found.get<std::uint64_t>();
}

int JsonFields::integer(const char* key) const {
  const nlohmann::json& found = value(key);
  constexpr std::int64_t least = std::numeric_limits<int>::min();
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const bool is_large =
      found.is_number_unsigned() && found.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  const bool is_whole = found.is_number_integer() && !is_large;
  if (!is_whole || found.get<std::int64_t>() < least || found.get<std::int64_t>() > most) {
    refuse(key, "a whole number of 32 bits");
  }
  return found.get<int>();
}

std::vector<double> JsonFields::numbers(const char* key) const {
  const nlohmann::json& found = value(key);
  std::vector<double> all;
  if (!found.is_array()) {
    refuse(key, "a list of numbers");
  }
  for (const nlohmann::json& entry : found) {
    if (!entry.is_number()) {
      refuse(key, "a list of numbers");
    }
    all.push_back(entry.get<double>());
  }
  return all;
}

std::vector<int> JsonFields::integers(const char* key) const {
  const nlohmann::json& found = value(key);
  std::vector<int> all;
  const auto is_int = [](const nlohmann::json& entry) {
    return entry.is_number_integer() && entry.get<std::int64_t>() >= 0 &&
           entry.get<std::int64_t>() <= std::numeric_limits<int>::max();
  };
  if (!found.is_array() || !std::all_of(found.begin(), found.end(), is_int)) {
    refuse(key, "a list of whole numbers from 0");
  }
  for (const nlohmann::json& entry : found) {
    all.push_back(entry.get<int>());
  }
  return all;
}

std::vector<std::string> JsonFields::texts(const char* key) const {
  const nlohmann::json& found = value(key);
  std::vector<std::string> all;
  if (!found.is_array()) {
    refuse(key, "a list of texts");
  }
  for (const nlohmann::json& entry : found) {
    if (!entry.is_string()) {
      refuse(key, "a list of texts");
    }
    all.push_back(entry.get<std::string>());
  }
  return all;
}

std::map<std::string, std::string> JsonFields::text_map(const char* key) const {
  const nlohmann::json& found = value(key);
  std::map<std::string, std::string> all;
  if (!found.is_object()) {
    refuse(key, "an object of texts");
  }
  for (const auto& [name, entry] : found.items()) {
    if (!entry.is_string()) {
      refuse(key, "an object of texts");
    }
    all[name] = entry.get<std::string>();
  }
  return all;
}

std::map<std::string, int> JsonFields::integer_map(const char* key) const {
  const nlohmann::json& found = value(key);
  std::map<std::string, int> all;
  if (!found.is_object()) {
    refuse(key, "an object of whole numbers from 0");
  }
  const JsonFields entries = object(key);
  for (const auto& entry : found.items()) {
    all[entry.key()] = entries.integer(entry.key().c_str());
  }
  return all;
}

bool JsonFields::is_null(const char* key) const {
  return value(key).is_null();
}

bool JsonFields::is_text(const char* key) const {
  return value(key).is_string();
}

std::optional<bool> JsonFields::optional_flag(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<bool>(flag(key));
}

std::optional<double> JsonFields::optional_number(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<double>(number(key));
}

std::optional<std::uint64_t> JsonFields::optional_count(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<std::uint64_t>(count(key));
}

std::optional<int> JsonFields::optional_integer(const char* key) const {
  return is_null(key) ? std::nullopt : std::optional<int>(integer(key));
}

bool JsonFields::has(const char* key) const {
  return object_->contains(key);
}

JsonFields JsonFields::object(const char* key) const {
  return {value(key), place(key)};
}

std::vector<JsonFields> JsonFields::objects(const char* key) const {
  const nlohmann::json& found = value(key);
  std::vector<JsonFields> all;
  if (!found.is_array()) {
    refuse(key, "a list of objects");
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    all.emplace_back(found[i], fmt::format("{}[{}]", place(key), i));
  }
  return all;
}

}  // namespace viaduct
