#pragma once
// What NCCL's own watch (RAS) in a worker says of its communicators. Asked when the worker itself
// gives no answer: RAS has a thread of its own there.

#include "core/deadline.hpp"

#include <cstddef>
#include <string>

namespace viaduct {

/// `address` as in NCCL_RAS_ADDR, "localhost:28123"; only this host is asked. The text as far as it
/// came by the deadline; empty when nobody answers in RAS's way.
std::string ask_ras(const std::string& address, Deadline deadline);

/// What of such a text belongs into a reason: the errors and warnings that it reports, else its
/// first lines; `lines` of them at most, joined by " | ".
std::string ras_summary(const std::string& text, std::size_t lines);

}  // namespace viaduct
