#include "app/path_watch.hpp"

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
                                        " nvls channels",
                                        "NCCL version ",
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

/// Of several choices for the operation the last in their order; empty without one.
std::optional<AlgorithmChoice> choice_of(const std::string& lines, const std::string& operation) {
  std::optional<AlgorithmChoice> choice;
  for (const auto& [tuning, count] : read_nccl_log(lines).tuning) {
    if (tuning.operation.empty() || folded(tuning.operation) == folded(operation)) {
      choice = AlgorithmChoice{.algorithm = tuning.algorithm,
                               .protocol = tuning.protocol,
                               .channels = std::max(tuning.channels, 0)};
    }
  }
  return choice;
}

}  // namespace

PathWatch::PathWatch(Control& control,
                     std::vector<PathSpec> paths,
                     std::vector<std::string> hosts,
                     const GroupMap& groups)
    : control_(control),
      paths_(std::move(paths)),
      hosts_(std::move(hosts)) {
  splits_[split_] = groups;
}

void PathWatch::regroup(const GroupMap& groups) {
  take_lines();
  splits_[++split_] = groups;
  judged_.clear();
  staged_.regroup();
}

void PathWatch::open_gpu(const std::string& bus_id) {
  const std::shared_ptr<const NvmlDevice> gpu = std::make_shared<NvmlDevice>(bus_id);
  meter_ = std::make_unique<WireMeter>(std::vector{gpu});
  health_reader_ = std::make_unique<HealthReader>(gpu);
}

void PathWatch::add_log(const std::string& path, const std::string& file) {
  tails_[path].emplace_back(file);
}

void PathWatch::add_probe_log(const std::string& path, const std::string& file) {
  probes_[path].emplace_back(file);
}

/// NCCL writes what it chose on rank 0 of each communicator.
void PathWatch::note_choices(const Case& c) {
  auto own = nlohmann::json::object();
  for (auto& [path, tails] : probes_) {
    if (const auto choice = choice_of(take(tails, tells_of_choices), c.operation)) {
      own[path] = {choice->algorithm, choice->protocol, choice->channels};
    }
  }
  const auto texts = control_.gather(own.dump(), 0, Deadline::after(agree_s));
  const GroupMap& groups = splits_.at(split_);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    const std::size_t group = groups.group_of(static_cast<int>(rank));
    const auto report = nlohmann::json::parse(texts[rank]);
    for (const auto& [path, choice] : report.items()) {
      choices_[{path, group}][key_of(c)] =
          AlgorithmChoice{.algorithm = choice.at(0).get<std::string>(),
                          .protocol = choice.at(1).get<std::string>(),
                          .channels = choice.at(2).get<int>()};
    }
  }
}

void PathWatch::begin_case() {
  health_before_ = health_reader_ ? health_reader_->read() : HealthReading{};
}

/// Groups work at the same time: which of them a host's NICs worked for is not known.
NicShare PathWatch::nic_share() const {
  if (splits_.at(split_).count() > 1) {
    return NicShare::not_known;
  }
  const auto own = hosts_.begin() + control_.rank();
  return std::find(hosts_.begin(), own, *own) == own ? NicShare::all : NicShare::nothing;
}

void PathWatch::start_count() {
  if (meter_) {
    meter_->start(nic_share());
  }
}

WireBytes PathWatch::stop_count() {
  return meter_ ? meter_->stop() : WireBytes{};
}

void PathWatch::take_lines() {
  for (auto& [path, tails] : tails_) {
    if (std::string text = take(tails, tells_of_paths); !text.empty()) {
      new_lines_.push_back({path, split_, std::move(text)});
    }
  }
}

/// One agreement: the new lines of every path and this rank's health.
void PathWatch::end_case() {
  nlohmann::json own;
  const HealthReading now = health_reader_ ? health_reader_->read() : HealthReading{};
  own["health"] = describe(health_change(health_before_, now));
  take_lines();
  for (const NewLines& lines : new_lines_) {
    own["logs"].push_back({lines.path, lines.split, lines.text});
  }
  new_lines_.clear();
  const auto texts =
      control_.gather(own.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                      0,
                      Deadline::after(agree_s));
  health_.clear();
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    take_report(static_cast<int>(rank), nlohmann::json::parse(texts[rank]));
  }
  splits_.erase(splits_.begin(), splits_.find(split_));
}

void PathWatch::take_report(int rank, const nlohmann::json& report) {
  if (const auto change = report.at("health").get<std::string>(); !change.empty()) {
    health_ += fmt::format("{}rank {}: {}", health_.empty() ? "" : "; ", rank, change);
  }
  if (!report.contains("logs")) {
    return;
  }
  for (const nlohmann::json& lines : report.at("logs")) {
    const auto split = lines.at(1).get<std::size_t>();
    logs_[lines.at(0).get<std::string>()].take(
        rank, split, splits_.at(split), lines.at(2).get_ref<const std::string&>());
  }
  judged_.clear();
}

std::optional<AlgorithmChoice> PathWatch::algorithm(const PathSpec& path,
                                                    const Case& c,
                                                    std::size_t group) {
  const auto of_path = choices_.find({path.name, group});
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
  const AlgorithmChoice choice =
      algorithm(watched.path, watched.c, watched.group).value_or(AlgorithmChoice{});
  const ExpectedBytes expected = expected_bytes(MovedBatch{.operation = watched.c.operation,
                                                           .size_bytes = watched.size_bytes,
                                                           .ranks = watched.ranks,
                                                           .operations = watched.sent->operations,
                                                           .algorithm = choice.algorithm,
                                                           .protocol = choice.protocol,
                                                           .window = watched.c.window});
  CountedBytes bytes;
  bytes.sent = watched.sent->bytes;
  bytes.low_bytes = expected.low;
  bytes.high_bytes = expected.high;
  bytes.operations = watched.sent->operations;
  bytes.why_not = watched.sent->bytes.nvlink ? expected.why_not : "NVLink bytes are not available";
  return bytes;
}

std::optional<CaseEvidence> PathWatch::evidence(const WatchedCase& watched) {
  if (is_staged(watched.path)) {
    return staged_.judge(watched, counted(watched));
  }
  return judge_case(watched.path,
                    judged(watched.path, watched.group),
                    counted(watched),
                    algorithm(watched.path, watched.c, watched.group),
                    nvlink_.reach(splits_.at(split_).groups().at(watched.group).ranks));
}

std::string PathWatch::health() {
  return health_;
}

const PathEvidence& PathWatch::judged(const PathSpec& path, std::size_t group) {
  const auto [known, is_new] = judged_.try_emplace({path.name, group});
  if (!is_new) {
    return known->second;
  }
  const GroupMap& groups = splits_.at(split_);
  const std::vector<int>& ranks = groups.groups().at(group).ranks;
  const std::set<int> members(ranks.begin(), ranks.end());
  static const LaunchLog nothing;
  const auto found = logs_.find(path.name);
  const NcclLog& all = (found == logs_.end() ? nothing : found->second).of_split(split_);
  const NcclLog part = groups.count() > 1 ? of_ranks(all, members) : NcclLog();
  const NcclLog& log = groups.count() > 1 ? part : all;
  return known->second = judge_path(path, join_pairs(log), log, hosts_, members);
}

std::optional<PathEvidence> PathWatch::path_evidence(const PathSpec& path, std::size_t group) {
  if (is_staged(path)) {
    return staged_.of_group(path, group);
  }
  return logs_.contains(path.name) ? std::optional(judged(path, group)) : std::nullopt;
}

std::optional<PathEvidence> PathWatch::whole_evidence(const PathSpec& path) {
  if (is_staged(path)) {
    return staged_.whole(path);
  }
  const auto found = logs_.find(path.name);
  if (found == logs_.end()) {
    return std::nullopt;
  }
  const NcclLog log = found->second.whole();
  PathEvidence evidence = judge_path(path, join_pairs(log), log, hosts_);
  std::vector<AlgorithmChoice> chosen;
  for (const auto& [of, choices] : choices_) {
    for (const auto& [key, choice] : choices) {
      if (of.first == path.name) {
        chosen.push_back(choice);
      }
    }
  }
  add_choices(evidence, path, chosen);
  return evidence;
}

}  // namespace viaduct
