#pragma once
// The parts of the HTML report's data that are large: curves, pair matrices, topologies and the
// table of all measurements.

#include "report/html_data.hpp"
#include "report/json_writer.hpp"
#include "report/table_groups.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// "charts": tables by size, each with its paths and their points; "charts_left_out": how many more
/// there are.
void write_charts(JsonWriter& json,
                  const Result& result,
                  const std::vector<CaseTable>& tables,
                  const std::vector<std::string>& paths,
                  const HtmlLimits& limits);

/// "matrices": for each size and path of a table of pairs a matrix of from x to;
/// "matrices_left_out".
void write_matrices(JsonWriter& json,
                    const Result& result,
                    const std::vector<CaseTable>& tables,
                    const std::vector<std::string>& paths,
                    const HtmlLimits& limits);

/// "topologies": one for each kind of host, with its devices and how far they are apart.
void write_topologies(JsonWriter& json, const Result& result);

/// "raw": {"columns", "rows", "same", "total"}: columns that say the same in every row stand once,
/// in "same".
void write_raw(JsonWriter& json, const Result& result, const HtmlLimits& limits);

}  // namespace viaduct
