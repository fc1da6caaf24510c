#include "config/plan_pairs.hpp"

#include "config/limits.hpp"
#include "config/value_words.hpp"

#include <array>

namespace viaduct {

namespace {

std::vector<int> read_pair(const JsonPlace& place) {
  std::vector<int> ranks;
  for (const JsonPlace& entry : place.elements()) {
    ranks.push_back(static_cast<int>(entry.whole_number(0, limits::ranks)));
  }
  constexpr std::size_t two = 2;
  if (ranks.size() != two || ranks[0] == ranks[1]) {
    place.fail("must be two different ranks, as in [0, 3]");
  }
  return ranks;
}

PairsChoice read_pairs(const JsonPlace& place) {
  place.expect_object({"schedule", "budget_s"});
  PairsChoice choice;
  if (const auto schedule = place.find("schedule")) {
    choice.schedule = read_at(*schedule, [&] { return parse_pair_schedule(schedule->text()); });
  }
  if (const auto budget = place.find("budget_s")) {
    choice.budget_s = budget->number_above(0);
  }
  return choice;
}

}  // namespace

void read_pair_keys(const JsonPlace& top, RunConfig& config) {
  if (const auto pair = top.find("pair")) {
    config.pair = read_pair(*pair);
    if (config.group != "all") {
      pair->fail("lets two ranks measure and group all of them; keep one of the two keys");
    }
  }
  if (const auto window = top.find("window")) {
    config.window = static_cast<int>(window->whole_number(1, limits::window));
  }
  const auto pairs = top.find("pairs");
  if (!pairs) {
    return;
  }
  config.pairs = read_pairs(*pairs);
  if (!config.pair.empty() || config.group != "all") {
    pairs->fail(config.pair.empty() ? "measures every two ranks; leave the key group away"
                                    : "measures every two ranks; leave the key pair away");
  }
  if (config.reopen > 1) {
    pairs->fail("opens its paths once; leave the key reopen away");
  }
}

}  // namespace viaduct
