#pragma once
// Values of records as JSON: what is absent becomes null, and a number that JSON has not is an
// error.

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace viaduct {

/// JSON knows no infinity: writing one would turn it into null in silence. Throws Error(internal).
inline nlohmann::json finite(double value, const char* key) {
  if (!std::isfinite(value)) {
    throw Error(ErrorKind::internal, fmt::format("{} is not a finite number ({})", key, value));
  }
  return value;
}

inline nlohmann::json finite_or_null(const std::optional<double>& value, const char* key) {
  return value ? finite(*value, key) : nlohmann::json(nullptr);
}

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

inline nlohmann::json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

/// An empty map is {} too, not null.
inline nlohmann::json object_of(const std::map<std::string, std::string>& values) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : values) {
    object[key] = value;
  }
  return object;
}

}  // namespace viaduct
