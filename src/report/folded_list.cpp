#include "report/folded_list.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace viaduct {

namespace {

using Json = nlohmann::json;

constexpr const char* like = "like";
/// Kinds of hosts, or ranks of one host: more are not looked at.
constexpr std::size_t most_full_entries = 16;

/// What an object under a key has other than the base's; null: a name that it lacks.
Json object_difference(const Json& base, const Json& own) {
  Json difference = Json::object();
  for (const auto& [name, value] : own.items()) {
    if (!base.contains(name) || base.at(name) != value) {
      difference[name] = value;
    }
  }
  for (const auto& [name, value] : base.items()) {
    if (!own.contains(name)) {
      difference[name] = nullptr;
    }
  }
  return difference;
}

bool has_null(const Json& object) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_null()) {
      return true;
    }
  }
  return false;
}

/// Empty: the entries have different keys, or objects that cannot be written as a difference.
std::optional<Json> difference_of(const Json& base, const Json& own) {
  if (base.size() != own.size()) {
    return std::nullopt;
  }
  Json difference = Json::object();
  for (const auto& [key, value] : own.items()) {
    if (!base.contains(key)) {
      return std::nullopt;
    }
    const Json& before = base.at(key);
    if (before == value) {
      continue;
    }
    if (before.is_object() && value.is_object()) {
      if (has_null(before) || has_null(value)) {
        return std::nullopt;
      }
      difference[key] = object_difference(before, value);
    } else {
      difference[key] = value;
    }
  }
  return difference;
}

/// Bytes that it takes in the file, in which text that is no UTF-8 is replaced.
std::size_t size_of(const Json& entry) {
  return entry.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

/// The shortest form as like one of those in full; null: none is short enough to be worth it.
Json shortest(const Json& list,
              const std::vector<std::size_t>& full,
              const Json& entry,
              const MayBeLike& may_be_like) {
  Json best;
  std::size_t length = size_of(entry) / 2;
  for (const std::size_t index : full) {
    if (!may_be_like(list.at(index), entry)) {
      continue;
    }
    if (auto difference = difference_of(list.at(index), entry)) {
      (*difference)[like] = index;
      if (const std::size_t size = size_of(*difference); size < length) {
        length = size;
        best = std::move(*difference);
      }
    }
  }
  return best;
}

Json joined(Json whole, const Json& entry) {
  for (const auto& [key, value] : entry.items()) {
    if (key == like) {
      continue;
    }
    if (whole.contains(key) && whole.at(key).is_object() && value.is_object()) {
      whole.at(key).merge_patch(value);
    } else {
      whole[key] = value;
    }
  }
  return whole;
}

}  // namespace

Json folded(const Json& list, const MayBeLike& may_be_like) {
  Json result = Json::array();
  std::vector<std::size_t> full;
  for (const Json& entry : list) {
    Json best = shortest(list, full, entry, may_be_like);
    if (best.is_null()) {
      if (full.size() < most_full_entries) {
        full.push_back(result.size());
      }
      best = entry;
    }
    result.push_back(std::move(best));
  }
  return result;
}

Json unfolded(const Json& list, const char* what) {
  Json result = Json::array();
  for (const Json& entry : list) {
    if (!entry.is_object() || !entry.contains(like)) {
      result.push_back(entry);
      continue;
    }
    const Json& index = entry.at(like);
    if (!index.is_number_unsigned() || index.get<std::size_t>() >= result.size()) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: entry {} is like {}, which is no entry before it",
                              what,
                              result.size(),
                              index.dump()));
    }
    result.push_back(joined(result.at(index.get<std::size_t>()), entry));
  }
  return result;
}

}  // namespace viaduct
