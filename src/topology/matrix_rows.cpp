#include "topology/matrix_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

bool has_row(const TextMatrix& matrix, const std::string& device) {
  return std::any_of(matrix.rows.begin(), matrix.rows.end(), [&device](const MatrixRow& row) {
    return row.device == device;
  });
}

}  // namespace

void note_rows(HostTopology& topology, const TextMatrix& matrix, const char* tool) {
  std::vector<std::string> missing;
  for (const std::string& device : matrix.columns) {
    if (is_impossible_gpu(device)) {
      topology.notes.push_back(
          fmt::format("{}: '{}' in line {} is no GPU (GPU0 to GPU{}); left out",
                      tool,
                      device,
                      matrix.line,
                      highest_number));
    } else if (gpu_number(device) >= 0 && !has_row(matrix, device)) {
      missing.push_back(device);
    }
  }
  if (!missing.empty()) {
    topology.notes.push_back(
        fmt::format("{}: the head in line {} names {}, but there is no row of {}",
                    tool,
                    matrix.line,
                    fmt::join(missing, ", "),
                    missing.size() == 1 ? "it" : "them"));
  }
  for (const MatrixRow& row : matrix.strays) {
    topology.notes.push_back(
        fmt::format("{}: line {} is a row of {}, which the head in line {} does not name; left out",
                    tool,
                    row.line,
                    row.device,
                    matrix.line));
  }
}

}  // namespace viaduct
