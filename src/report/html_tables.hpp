#pragma once
// The small tables of the HTML report's data: paths, ranks, hosts and their differences, health.

#include "report/json_writer.hpp"
#include "report/result_reader.hpp"

namespace viaduct {

/// Keys "paths", "ranks", "hosts", "differences" and "health": each {"columns": [{"name",
/// "number"}], "rows": [[...]]}, without rows where there is nothing to show.
void write_small_tables(JsonWriter& json, const Result& result);

}  // namespace viaduct
