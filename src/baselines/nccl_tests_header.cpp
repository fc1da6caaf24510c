#include "baselines/nccl_tests_header.hpp"

#include "baselines/cell_text.hpp"
#include "baselines/operation_name.hpp"
#include "baselines/text_lines.hpp"

#include <vector>

namespace viaduct {
namespace {

std::string_view without_comment(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('#')) {
    line = trimmed(line.substr(1));
  }
  return line;
}

std::string_view after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  return at == std::string_view::npos ? std::string_view() : line.substr(at + key.size());
}

/// The text behind the first colon of a footer.
std::string_view footer_value(std::string_view line, std::string_view key) {
  line = without_comment(line);
  if (!line.starts_with(key)) {
    return {};
  }
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view() : trimmed(line.substr(colon + 1));
}

void take_settings(std::string_view line, BaselineRun& run) {
  run.warmup = integer_after(line, "warmup iters:");
  // "iters:" stands in "warmup iters:" and "agg iters:" too.
  const std::string_view behind = after(line, "warmup iters:");
  run.iterations = integer_after(behind, " iters:");
  run.aggregated = integer_after(behind, "agg iters:");
  if (const auto validation = integer_after(line, "validation:")) {
    run.validation = *validation != 0;
  }
  run.graph = integer_after(line, "graph:");
}

void take_versions(std::string_view line, BaselineRun& run) {
  const std::vector<std::string_view> words = words_of(line, 16);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "version") {
      run.version = std::string(words[i + 1]);
    }
  }
  run.nccl_version = integer_after(line, "nccl-library=");
  run.nccl_built = integer_after(line, "nccl-headers=");
}

}  // namespace

bool is_settings(std::string_view line) {
  line = without_comment(line);
  return line.starts_with("nThread ") && line.find("minBytes") != std::string_view::npos;
}

bool opens_run(std::string_view line) {
  const std::string_view text = without_comment(line);
  return is_settings(line) || text.starts_with("Collective test starting:") ||
         text.starts_with("nccl-tests version") || text.starts_with("rccl-tests");
}

bool take_header(std::string_view line, BaselineRun& run) {
  const std::string_view text = without_comment(line);
  if (is_settings(line)) {
    take_settings(text, run);
    return true;
  }
  if (text.starts_with("Collective test starting:")) {
    const std::string_view name = trimmed(after(text, ":"));
    run.operation = operation_of(name);
    return true;
  }
  if (text.starts_with("nccl-tests version") || text.starts_with("rccl-tests")) {
    run.tool = std::string(text.substr(0, text.find_first_of("- :") + 6));
    take_versions(text, run);
    return true;
  }
  return false;
}

std::optional<BaselineDevice> device_of(std::string_view line) {
  const std::vector<std::string_view> words = words_of(without_comment(line), 64);
  if (words.size() < 6 || words[0] != "Rank" || !integer_of(words[1])) {
    return std::nullopt;
  }
  BaselineDevice device;
  device.rank = *integer_of(words[1]);
  std::size_t at = 2;
  for (; at + 1 < words.size() && !words[at].starts_with('['); at += 2) {
    const std::optional<int> number = integer_of(words[at + 1]);
    if (words[at] == "Group") {
      device.group = number.value_or(0);
    } else if (words[at] == "Pid") {
      device.pid = number;
    } else if (words[at] == "on") {
      device.host = std::string(words[at + 1]);
    } else if (words[at] == "device") {
      device.device = number;
    }
  }
  if (at >= words.size() || !words[at].starts_with('[') || device.host.empty()) {
    return std::nullopt;
  }
  device.bus_id = std::string(words[at].substr(1, words[at].find(']') - 1));
  for (++at; at < words.size(); ++at) {
    device.name += (device.name.empty() ? "" : " ") + std::string(words[at]);
  }
  return device;
}

std::optional<OutOfBounds> out_of_bounds_of(std::string_view line) {
  const std::vector<std::string_view> words =
      words_of(footer_value(line, "Out of bounds values"), 2);
  if (words.size() < 2 || !whole_of(words[0])) {
    return std::nullopt;
  }
  return OutOfBounds{*whole_of(words[0]), words[1] == "OK"};
}

std::optional<double> average_of(std::string_view line) {
  const std::vector<std::string_view> words = words_of(footer_value(line, "Avg bus bandwidth"), 1);
  return words.empty() ? std::nullopt : number_of(words[0]);
}

int failure_rank(std::string_view line) {
  if (line.find("NCCL WARN") != std::string_view::npos) {
    return 4;
  }
  if (line.find("Invalid number of GPUs") != std::string_view::npos ||
      line.find("Test NCCL failure") != std::string_view::npos ||
      line.find("Test CUDA failure") != std::string_view::npos) {
    return 3;
  }
  return line.find("Test failure") != std::string_view::npos ? 2 : 0;
}

}  // namespace viaduct
