#include "worker_script.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace viaduct::test {

namespace {

constexpr std::array phases{
    "hello", "make_id", "init", "describe", "open", "batch", "close", "quit"};
constexpr std::array actions{"crash",
                             "segv",
                             "shm",
                             "no-gpu",
                             "hang",
                             "exit",
                             "stderr-then-exit",
                             "wrong",
                             "garbage",
                             "torn",
                             "huge",
                             "twice",
                             "orphan",
                             "fail",
                             "refuse",
                             "throw",
                             "throw-odd",
                             "network",
                             "warn"};

[[noreturn]] void refuse(std::string_view step, std::string_view why) {
  throw Error(ErrorKind::usage,
              fmt::format("SCRIPT: step '{}': {}; a step is ok, inspect, slow-PHASE:500ms or "
                          "ACTION@PHASE[:N][%RANK]",
                          step,
                          why));
}

int parse_number(std::string_view text, std::string_view step) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    refuse(step, fmt::format("'{}' is not a number", text));
  }
  return number;
}

/// Cuts what follows the last `mark` off `text`; empty when there is no mark.
std::optional<std::string_view> cut_after(std::string_view& text, char mark) {
  const auto at = text.rfind(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

template <typename Names>
void require_known(std::string_view word, const Names& names, std::string_view step) {
  if (std::find(names.begin(), names.end(), word) == names.end()) {
    refuse(step, fmt::format("'{}' is unknown", word));
  }
}

ScriptStep parse_slow(std::string_view step) {
  constexpr std::string_view unit = "ms";
  std::string_view rest = step.substr(std::string_view("slow-").size());
  auto delay = cut_after(rest, ':');
  if (!delay || !delay->ends_with(unit)) {
    refuse(step, "no time in ms");
  }
  delay->remove_suffix(unit.size());
  require_known(rest, phases, step);
  ScriptStep parsed;
  parsed.action = "slow";
  parsed.phase = rest;
  parsed.delay_ms = parse_number(*delay, step);
  return parsed;
}

ScriptStep parse_step(std::string_view step) {
  if (step.starts_with("slow-")) {
    return parse_slow(step);
  }
  ScriptStep parsed;
  std::string_view rest = step;
  if (const auto rank = cut_after(rest, '%')) {
    parsed.rank = parse_number(*rank, step);
  }
  if (const auto occurrence = cut_after(rest, ':')) {
    parsed.occurrence = parse_number(*occurrence, step);
  }
  const auto phase = cut_after(rest, '@');
  if (!phase) {
    refuse(step, "no '@'");
  }
  require_known(rest, actions, step);
  require_known(*phase, phases, step);
  parsed.action = rest;
  parsed.phase = *phase;
  return parsed;
}

}  // namespace

WorkerScript parse_script(std::string_view text) {
  WorkerScript script;
  while (!text.empty()) {
    const std::string_view step = text.substr(0, text.find(','));
    text.remove_prefix(std::min(step.size() + 1, text.size()));
    if (step == "inspect") {
      script.inspects = true;
    } else if (step != "ok") {
      script.steps.push_back(parse_step(step));
    }
  }
  return script;
}

}  // namespace viaduct::test
