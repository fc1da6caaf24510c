#pragma once
// Values of other tools' JSON, which writes numbers and booleans as strings now and then. It knows
// JSON, not what the keys mean.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// The first key that the object has (keys were misspelt in some versions); nullptr: none, or no
/// object.
const nlohmann::json* find_key(const nlohmann::json* object,
                               std::initializer_list<const char*> keys);

/// Each takes nullptr and null for "not there". Numbers may be strings; "nan" and "N/A" are none.
std::optional<double> number_in(const nlohmann::json* value);
std::optional<int> integer_in(const nlohmann::json* value);
std::optional<std::uint64_t> whole_in(const nlohmann::json* value);

/// true, "true", 1 and so on; empty for other words, such as "unchecked".
std::optional<bool> flag_in(const nlohmann::json* value);

/// A string without blanks around it, or the text of a number; "" for anything else.
std::string text_in(const nlohmann::json* value);

std::vector<std::string> texts_in(const nlohmann::json* value);

/// Throws Error(usage) that says where the text stops to be JSON and what stands there; `hint` ends
/// the message where the text just breaks off.
nlohmann::json parse_whole(std::string_view text, const std::string& hint);

}  // namespace viaduct
