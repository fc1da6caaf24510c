#include "core/record.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<Status> statuses[] = {
    {Status::ok, "ok"},
    {Status::skipped, "skipped"},
    {Status::lost, "lost"},
    {Status::wrong, "wrong"},
};

}  // namespace

const char* name(Status status) {
  return name_in(statuses, status);
}

Status parse_status(std::string_view text) {
  return value_in<Status>(statuses, "status", text);
}

}  // namespace viaduct
