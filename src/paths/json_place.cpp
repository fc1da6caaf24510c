#include "paths/json_place.hpp"

#include "core/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace viaduct {

namespace {

using nlohmann::json;

std::string escaped(const std::string& key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

/// The library's message without its own identifier, on one line.
std::string plain_message(const std::string& what) {
  const std::size_t end = what.find("] ");
  std::string text = end == std::string::npos ? what : what.substr(end + 2);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string prefix = "parse error at ";
  return text.rfind(prefix, 0) == 0 ? "at " + text.substr(prefix.size()) : text;
}

/// Far more than any file of ours has, and little enough for what goes through it level by level.
constexpr int deepest = 100;

/// The library keeps the last of two equal keys in silence; this callback sees both.
class TwiceFinder {
 public:
  explicit TwiceFinder(const std::string& origin) : origin_(origin) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > deepest) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: nested more than {} levels deep", origin_, deepest));
    }
    if (event == json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (!open_.back().insert(key).second) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: key '{}' stands twice in one object", origin_, key));
      }
    }
    return true;
  }

 private:
  const std::string& origin_;
  std::vector<std::set<std::string>> open_;
};

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

json parse_json(std::string_view text, const std::string& origin) {
  TwiceFinder finder(origin);
  try {
    return json::parse(text, [&finder](int depth, json::parse_event_t event, json& parsed) {
      return finder(depth, event, parsed);
    });
  } catch (const json::exception& error) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: not JSON: {}", origin, plain_message(error.what())));
  }
}

void JsonPlace::fail(const std::string& message) const {
  throw Error(ErrorKind::usage, where() + message);
}

std::string JsonPlace::where() const {
  return origin_ + ": " + (pointer_.empty() ? "" : pointer_ + ": ");
}

void JsonPlace::fail_type(const std::string& wanted) const {
  std::string shown = value_->dump(-1, ' ', false, json::error_handler_t::replace);
  constexpr std::size_t longest = 60;
  if (shown.size() > longest) {
    shown = fmt::format("a value of type {}", value_->type_name());
  }
  fail(fmt::format("must be {}, but is {}", wanted, shown));
}

JsonPlace JsonPlace::child(const json& value, const std::string& key) const {
  return {value, origin_, pointer_ + "/" + escaped(key)};
}

void JsonPlace::expect_object(const std::vector<std::string>& allowed) const {
  if (!value_->is_object()) {
    fail_type(fmt::format("an object with the keys {}", joined(allowed)));
  }
  for (const auto& item : value_->items()) {
    if (std::find(allowed.begin(), allowed.end(), item.key()) != allowed.end()) {
      continue;
    }
    const std::vector<std::string> near = nearest(item.key(), allowed);
    const std::string hint =
        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", fmt::join(near, "' or '"));
    child(item.value(), item.key())
        .fail(
            fmt::format("unknown key '{}'{}; allowed keys: {}", item.key(), hint, joined(allowed)));
  }
}

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) {
    return std::nullopt;
  }
  return child(*found, key);
}

JsonPlace JsonPlace::at(const std::string& key) const {
  if (auto place = find(key)) {
    return *place;
  }
  fail(fmt::format("key '{}' is missing", key));
}

std::vector<JsonPlace> JsonPlace::elements(bool may_be_empty) const {
  if (!value_->is_array()) {
    fail_type("a list");
  }
  if (value_->empty() && !may_be_empty) {
    fail("must not be an empty list");
  }
  std::vector<JsonPlace> places;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    places.push_back(child((*value_)[i], std::to_string(i)));
  }
  return places;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) {
    fail_type("an object");
  }
  std::vector<std::pair<std::string, JsonPlace>> places;
  for (const auto& item : value_->items()) {
    places.emplace_back(item.key(), child(item.value(), item.key()));
  }
  return places;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) {
    fail_type("a string");
  }
  return value_->get<std::string>();
}

bool JsonPlace::flag() const {
  if (!value_->is_boolean()) {
    fail_type("true or false");
  }
  return value_->get<bool>();
}

std::uint64_t JsonPlace::whole_number(std::uint64_t least, std::uint64_t most) const {
  const bool is_whole = value_->is_number_unsigned();
  const std::uint64_t number = is_whole ? value_->get<std::uint64_t>() : 0;
  if (!is_whole || number < least || number > most) {
    fail_type(fmt::format("a whole number from {} to {}", least, most));
  }
  return number;
}

double JsonPlace::number_above(double least) const {
  const double number = value_->is_number() ? value_->get<double>() : least;
  if (!std::isfinite(number) || number <= least) {
    fail_type(fmt::format("a number above {}", least));
  }
  return number;
}

std::vector<std::string> JsonPlace::texts() const {
  std::vector<std::string> words;
  for (const JsonPlace& place : elements()) {
    words.push_back(place.text());
  }
  return words;
}

std::string JsonPlace::json_text() const {
  return value_->dump();
}

std::string JsonPlace::word_or_number(const std::string& wanted) const {
  if (!value_->is_string() && !value_->is_number_integer()) {
    fail_type(wanted);
  }
  return value_->is_string() ? value_->get<std::string>() : value_->dump();
}

std::string JsonPlace::word(const std::vector<std::string>& allowed) const {
  std::string given = text();
  if (std::find(allowed.begin(), allowed.end(), given) == allowed.end()) {
    fail_type(fmt::format("one of {}", joined(allowed)));
  }
  return given;
}

}  // namespace viaduct
