#include "lane/lane.hpp"

#include <fmt/format.h>

namespace viaduct {

Reply call(Lane& lane, const Request& request, Deadline deadline, const Abandon& abandon) {
  lane.start(request);
  Reply reply = lane.finish(deadline, abandon);
  if (const auto* failure = std::get_if<Failure>(&reply)) {
    throw Error(failure->kind, failure->message);
  }
  return reply;
}

void throw_unexpected(const Reply& reply) {
  if (const auto* failure = std::get_if<Failure>(&reply)) {
    throw Error(failure->kind, failure->message);
  }
  throw Error(
      ErrorKind::lost,
      fmt::format("a reply of type '{}' came where another was expected", type_name(reply)));
}

}  // namespace viaduct
