#pragma once
// Lists of objects that are mostly alike, written short: an entry may say which earlier entry it is
// like, and then holds only the keys that differ. It knows JSON, not what the entries mean.

#include <nlohmann/json.hpp>

#include <functional>

namespace viaduct {

/// Whether the second may be written as "like" the first, which stands in full.
using MayBeLike = std::function<bool(const nlohmann::json& full, const nlohmann::json& entry)>;

/// Entries of `list` that are worth it become {"like": index of an entry in full, keys that
/// differ}. In an object under a key, null stands for a name that the entry lacks. Nothing is lost.
nlohmann::json folded(const nlohmann::json& list, const MayBeLike& may_be_like);

/// The list with every entry in full; a list without "like" is returned as it is. Throws Error(io)
/// naming `what`: "like" is no index of an earlier entry.
nlohmann::json unfolded(const nlohmann::json& list, const char* what);

}  // namespace viaduct
