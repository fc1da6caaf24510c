#pragma once
// The unique id of a communicator as text, so that ranks can pass it on.

#include <nccl.h>

#include <string>
#include <string_view>

namespace viaduct {

/// A fresh one. Its process must live until every rank has joined.
ncclUniqueId make_unique_id();

/// Hexadecimal, two digits a byte.
std::string id_text(const ncclUniqueId& id);

/// Throws Error(internal) for a text that id_text() does not write.
ncclUniqueId parse_id(std::string_view text);

}  // namespace viaduct
