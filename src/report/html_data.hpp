#pragma once
// What the HTML report shows, as one JSON text for its scripts. It knows results, not how the page
// looks.

#include "report/result_reader.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// How much of a large result goes into the page; what is left out is said there.
struct HtmlLimits {
  std::size_t raw_rows = 20000;       ///< of the table of all measurements, for each file
  std::size_t charts = 400;           ///< tables with curves, for each file
  std::size_t matrix_cells = 600000;  ///< of all pair matrices, for each file
};

/// {"results": [...]}: one object for each result; html/page.js reads it.
std::string html_data(const std::vector<Result>& results, const HtmlLimits& limits = {});

}  // namespace viaduct
