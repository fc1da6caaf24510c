#include "app/path_watch.hpp"

#include "app/copy_judgement.hpp"
#include "core/staged_path.hpp"
#include "paths/byte_model.hpp"
#include "paths/pair_evidence.hpp"
#include "paths/path_judgement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace viaduct {

namespace {

constexpr double agree_s = 60;

/// Lines that say nothing of paths stay where they are: a log may be long, and ranks many.
bool tells_of_paths(std::string_view line) {
  constexpr std::string_view words[] = {" via ",
                                        "NVLS",
                                        " set by environment ",
                                        "comm 0x",
                                        "WARN",
                                        "isAllDirectP2p",
                                        "Connected all"};
  return std::any_of(std::begin(words), std::end(words), [line](std::string_view word) {
    return line.find(word) != std::string_view::npos;
  });
}

bool tells_of_choices(std::string_view line) {
  return line.find(" proto ") != std::string_view::npos ||
         line.find("Symmetric") != std::string_view::npos ||
         line.find("Algo") != std::string_view::npos;
}

std::string take(std::vector<LogTailReader>& tails, bool (*is_wanted)(std::string_view)) {
  std::string text;
  for (LogTailReader& tail : tails) {
    text += tail.take(is_wanted);
  }
  return text;
}

/// What NCCL chooses does not depend on how it is timed.
std::string key_of(Case c) {
  c.mode = Mode::stream;
  return describe(c);
}

/// "AllReduce" and "all_reduce" are one operation.
std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != '_') {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

}  // namespace

PathWatch::PathWatch(Control& control, std::vector<PathSpec> paths, std::vector<std::string> hosts)
    : control_(control),
      paths_(std::move(paths)),
      hosts_(std::move(hosts)) {}

void PathWatch::open_gpu(const std::string& bus_id) {
  const auto gpu = std::make_shared<const NvmlDevice>(bus_id);
  counters_ = std::make_unique<CounterReader>(gpu);
  health_reader_ = std::make_unique<HealthReader>(gpu);
}

void PathWatch::add_log(const std::string& path, const std::string& file) {
  tails_[path].emplace_back(file);
}

void PathWatch::add_probe_log(const std::string& path, const std::string& file) {
  probes_[path].emplace_back(file);
}

void PathWatch::note_choices(const Case& c) {
  if (control_.rank() != 0) {
    return;
  }
  for (auto& [path, tails] : probes_) {
    const NcclLog log = read_nccl_log(take(tails, tells_of_choices));
    for (const auto& [tuning, lines] : log.tuning) {
      if (tuning.operation.empty() || folded(tuning.operation) == folded(c.operation)) {
        choices_[path][key_of(c)] = AlgorithmChoice{.algorithm = tuning.algorithm,
                                                    .protocol = tuning.protocol,
                                                    .channels = std::max(tuning.channels, 0)};
      }
    }
  }
}

void PathWatch::begin_case() {
  health_before_ = health_reader_ ? health_reader_->read() : HealthReading{};
}

std::optional<double> PathWatch::nvlink_sent_bytes() {
  const Counter sent = counters_ ? counters_->read().nvlink_tx : Counter{};
  return sent.raw
             ? std::optional(static_cast<double>(*sent.raw) * static_cast<double>(sent.unit_bytes))
             : std::nullopt;
}

/// One agreement: the new lines of every path and this rank's health.
void PathWatch::end_case() {
  nlohmann::json own;
  const HealthReading now = health_reader_ ? health_reader_->read() : HealthReading{};
  own["health"] = describe(health_change(health_before_, now));
  for (auto& [path, tails] : tails_) {
    if (std::string text = take(tails, tells_of_paths); !text.empty()) {
      own["logs"][path] = std::move(text);
    }
  }
  const auto texts =
      control_.gather(own.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                      0,
                      Deadline::after(agree_s));
  health_.clear();
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    const auto json = nlohmann::json::parse(texts[rank]);
    take_report(rank, json);
  }
}

void PathWatch::take_report(std::size_t rank, const nlohmann::json& report) {
  if (const auto change = report.at("health").get<std::string>(); !change.empty()) {
    health_ += fmt::format("{}rank {}: {}", health_.empty() ? "" : "; ", rank, change);
  }
  if (!report.contains("logs")) {
    return;
  }
  for (const auto& [path, text] : report.at("logs").items()) {
    NcclLogReader& log = logs_[path];
    log.begin(fmt::format("rank {}", rank));
    log.append(text.get<std::string>());
    log.end();
  }
  judged_.clear();
}

std::optional<AlgorithmChoice> PathWatch::algorithm(const PathSpec& path, const Case& c) {
  const auto of_path = choices_.find(path.name);
  if (of_path == choices_.end()) {
    return std::nullopt;
  }
  const auto choice = of_path->second.find(key_of(c));
  return choice == of_path->second.end() ? std::nullopt : std::optional(choice->second);
}

std::optional<CountedBytes> PathWatch::counted(const WatchedCase& watched) {
  if (!watched.sent) {
    return std::nullopt;
  }
  const AlgorithmChoice choice = algorithm(watched.path, watched.c).value_or(AlgorithmChoice{});
  const ExpectedBytes expected = expected_bytes(MovedBatch{.operation = watched.c.operation,
                                                           .size_bytes = watched.size_bytes,
                                                           .ranks = watched.ranks,
                                                           .operations = watched.sent->operations,
                                                           .algorithm = choice.algorithm,
                                                           .protocol = choice.protocol});
  CountedBytes bytes;
  bytes.nvlink_bytes = watched.sent->bytes;
  bytes.low_bytes = expected.low;
  bytes.high_bytes = expected.high;
  bytes.operations = watched.sent->operations;
  bytes.why_not = watched.sent->bytes ? expected.why_not : "NVLink bytes are not available";
  return bytes;
}

std::optional<CaseEvidence> PathWatch::evidence(const WatchedCase& watched) {
  if (is_split_) {
    CaseEvidence unknown;
    unknown.reason = "logs of several groups of ranks are not judged";
    return unknown;
  }
  if (is_staged(watched.path)) {
    return staged_evidence(watched);
  }
  return judge_case(
      watched.path, judged(watched.path), counted(watched), algorithm(watched.path, watched.c));
}

/// No log speaks of it: only counters can.
CaseEvidence PathWatch::staged_evidence(const WatchedCase& watched) {
  PathEvidence no_log;
  no_log.reason = "NCCL takes no part, so only counters speak";
  const CaseEvidence judged = judge_case(watched.path, no_log, counted(watched), std::nullopt);
  PathEvidence& path = staged_[watched.path.name];
  path.path = watched.path.name;
  add_case(path, judged);
  return judged;
}

std::string PathWatch::health() {
  return health_;
}

const PathEvidence& PathWatch::judged(const PathSpec& path) {
  const auto known = judged_.find(path.name);
  if (known != judged_.end()) {
    return known->second;
  }
  static const NcclLog nothing;
  const auto reader = logs_.find(path.name);
  const NcclLog& log = reader == logs_.end() ? nothing : reader->second.log();
  return judged_[path.name] = judge_path(path, join_pairs(log), log, hosts_);
}

std::optional<PathEvidence> PathWatch::path_evidence(const PathSpec& path) {
  if (const auto staged = staged_.find(path.name); staged != staged_.end()) {
    return staged->second;
  }
  return logs_.contains(path.name) && !is_split_ ? std::optional(judged(path)) : std::nullopt;
}

}  // namespace viaduct
