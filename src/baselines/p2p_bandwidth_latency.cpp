// Text of p2pBandwidthLatencyTest of the CUDA samples: bandwidth and latency of copies between the
// GPUs of one host, with and without peer access. Local copies stand on the diagonals.

#include "baselines/matrix_text.hpp"
#include "baselines/reader.hpp"
#include "baselines/text_lines.hpp"

#include <utility>

namespace viaduct::baselines {
namespace {

using Cells = std::vector<std::vector<std::optional<double>>>;

/// "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)" ->
/// "unidirectional_p2p_enabled".
std::optional<CopyMatrix> titled(std::string_view line) {
  const bool is_on = line.find("P2P=Enabled") != std::string_view::npos;
  const bool is_off = line.find("P2P=Disabled") != std::string_view::npos;
  if (is_on == is_off || line.find("Matrix") == std::string_view::npos) {
    return std::nullopt;
  }
  CopyMatrix matrix;
  matrix.description = std::string(line);
  const bool is_latency = line.find("Latency") != std::string_view::npos;
  const bool is_both = line.starts_with("Bidirectional");
  matrix.name = is_latency ? "latency" : is_both ? "bidirectional" : "unidirectional";
  matrix.name += is_on ? "_p2p_enabled" : "_p2p_disabled";
  if (line.find("P2P Reads") != std::string_view::npos) {
    matrix.name += "_reads";
  }
  matrix.unit =
      is_latency ? CopyMatrix::Unit::microseconds : CopyMatrix::Unit::gigabytes_per_second;
  matrix.direction = is_both ? CopyMatrix::Direction::both : CopyMatrix::Direction::row_to_column;
  return matrix;
}

class MatricesReader {
 public:
  Baseline read(std::string_view text) {
    TextLines lines(text);
    TextLine line;
    while (lines.next(line)) {
      take(trimmed(line.text));
    }
    finish();
    return std::move(baseline_);
  }

 private:
  void take(std::string_view line) {
    if (auto matrix = titled(line)) {
      finish();
      matrix_ = std::move(*matrix);
      is_open_ = true;
      return;
    }
    if (!is_open_ || line.empty()) {
      return;
    }
    const std::string_view first = words_of(line, 1)[0];
    if (first == "D\\D" || first == "GPU" || first == "CPU") {
      is_enqueue_ = first == "CPU";
      if (!take_column_labels(line.substr(first.size()), matrix_)) {
        finish();
      }
      return;
    }
    take_row(line);
  }

  void take_row(std::string_view line) {
    std::string label;
    std::vector<std::optional<double>> cells;
    if (!take_matrix_row(line, matrix_.columns, label, cells)) {
      finish();
    } else if (is_enqueue_) {
      matrix_.enqueue_us.push_back(std::move(cells));
    } else {
      matrix_.rows.push_back(std::move(label));
      matrix_.cells.push_back(std::move(cells));
    }
  }

  void finish() {
    if (is_open_ && !matrix_.cells.empty()) {
      judge_matrix(matrix_);
      baseline_.matrices.push_back(std::move(matrix_));
    }
    matrix_ = CopyMatrix{};
    is_open_ = false;
    is_enqueue_ = false;
  }

  Baseline baseline_;
  CopyMatrix matrix_;
  bool is_open_ = false;
  bool is_enqueue_ = false;
};

bool recognizes(std::string_view text) {
  return any_line_with(
      text, "P2P=", [](std::string_view line) { return titled(line).has_value(); });
}

Baseline read(std::string_view text) {
  return MatricesReader().read(text);
}

}  // namespace

const BaselineReader& p2p_bandwidth_latency() {
  static constexpr BaselineReader entry{"p2pBandwidthLatencyTest",
                                        "text of p2pBandwidthLatencyTest of the CUDA samples",
                                        &recognizes,
                                        &read};
  return entry;
}

}  // namespace viaduct::baselines
