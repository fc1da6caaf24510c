#include "app/pairs_run.hpp"

#include "app/pair_findings.hpp"
#include "collectives/collective.hpp"
#include "core/error.hpp"
#include "pairs/analysis.hpp"
#include "pairs/finding_text.hpp"
#include "pairs/plan.hpp"
#include "report/pair_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

PairPlanOptions plan_options(const PairsChoice& choice) {
  PairPlanOptions options;
  options.schedule = choice.schedule;
  if (choice.budget_s > 0) {
    options.budget_s = choice.budget_s;
  }
  return options;
}

/// On rank 0: between the plan, the session and the sink.
class PairsLead : public Observer {
 public:
  PairsLead(const RunConfig& config, const PairsFrame& frame, ResultSink& sink)
      : layout_(HostLayout::of(frame.sites)),
        plan_(layout_, plan_options(*config.pairs)),
        sink_(sink) {}

  [[nodiscard]] std::vector<RankPair> next();

  /// As far as the rounds so far tell.
  [[nodiscard]] std::size_t expected_rounds() const;

  void write_findings();

  void on_measurement(const Measurement& measurement) override;

  void on_verdict(const Verdict& verdict) override { sink_.on_verdict(verdict); }

  void on_progress(const Progress& progress) override { sink_.on_progress(progress); }

  void on_warning(const std::string& text) override { sink_.on_warning(text); }

 private:
  [[nodiscard]] double elapsed_s();

  HostLayout layout_;
  PairPlan plan_;
  ResultSink& sink_;
  PairRecords records_;
  bool is_alone_ = false;        ///< the round under way
  bool is_budget_over_ = false;  ///< there is no other round, and pairs are left
  std::optional<Clock::time_point> begin_;
};

double PairsLead::elapsed_s() {
  if (!begin_) {
    begin_ = Clock::now();
  }
  return std::chrono::duration<double>(Clock::now() - *begin_).count();
}

std::vector<RankPair> PairsLead::next() {
  const double now = elapsed_s();
  if (plan_.wants_suspects(now)) {
    std::vector<Finding> suspects;
    for (const MeasuredSeries& measured : records_.all()) {
      const PairAnalysis analysis = analyze_pairs(measured.series, layout_, suspect_options());
      suspects.insert(suspects.end(), analysis.findings.begin(), analysis.findings.end());
    }
    plan_.set_suspects(suspects);
  }
  const std::optional<PairRound> round = plan_.next_round(now);
  is_alone_ = round && round->is_alone();
  is_budget_over_ = !round && plan_.coverage().covered < plan_.coverage().pairs;
  return round ? round->pairs : std::vector<RankPair>{};
}

std::size_t PairsLead::expected_rounds() const {
  const PairCoverage& coverage = plan_.coverage();
  if (coverage.covered == 0) {
    return 0;
  }
  const double share = static_cast<double>(coverage.covered) / static_cast<double>(coverage.pairs);
  return static_cast<std::size_t>(static_cast<double>(coverage.rounds) / share + 0.5);
}

void PairsLead::on_measurement(const Measurement& measurement) {
  Measurement record = measurement;
  record.pair_alone = is_alone_;
  sink_.on_measurement(record);
  // With the class that the sink has given it.
  records_.add(sink_.result().measurements.back());
}

void PairsLead::write_findings() {
  if (is_budget_over_) {
    sink_.on_warning("the budget ended before the matrix: " + coverage_text(plan_.coverage()));
  }
  for (const PairFinding& finding : pair_findings(records_, layout_)) {
    sink_.on_finding(finding);
  }
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const Collective* collective : collectives::all()) {
    if (collective->is_pairwise) {
      names.emplace_back(collective->name);
    }
  }
  return names;
}

}  // namespace

void expect_patterns(const RunConfig& config, Engine engine) {
  if (!config.pairs) {
    return;
  }
  for (const CaseBlock& block : for_engine(config, engine).blocks) {
    for (const std::string& operation : block.operations) {
      if (!collectives::get(operation).is_pairwise) {
        throw Error(ErrorKind::usage,
                    fmt::format("pairs: {} is no pattern between two ranks; write {}",
                                operation,
                                fmt::join(pattern_names(), ", ")));
      }
    }
  }
}

PairSessionPlan make_pair_plan(const RunConfig& config, const PairsFrame& frame) {
  constexpr int ranks_of_pair = 2;
  if (frame.sites.size() < ranks_of_pair) {
    throw Error(ErrorKind::usage, "pairs measures between ranks; start two or more");
  }
  if (frame.lanes == LanesMode::serial && frame.paths.size() > 1) {
    throw Error(
        ErrorKind::refused,
        fmt::format("pairs holds the lanes of all {} paths open at once, and this launch "
                    "can hold one at a time only (--lanes serial, exclusive-process mode or "
                    "short memory); name one path with --paths",
                    frame.paths.size()));
  }
  std::set<int> hosts;
  for (const RankSite& site : frame.sites) {
    hosts.insert(site.first_of_host);
  }
  SessionPlan session = make_session_plan(config,
                                          SessionFrame{.engine = frame.engine,
                                                       .paths = frame.paths,
                                                       .groups = GroupMap::of_all(ranks_of_pair),
                                                       .spans_hosts = hosts.size() > 1,
                                                       .lanes = LanesMode::together});
  PairSessionPlan plan;
  plan.paths = std::move(session.paths);
  plan.cases = std::move(session.cases);
  plan.options = session.options;
  for (const Case& c : plan.cases) {
    plan.known.push_back(known_description(c, ranks_of_pair, config.method));
  }
  return plan;
}

ExitCode run_pairs(Control& control,
                   const RunConfig& config,
                   const PairsFrame& frame,
                   const SessionHooks& hooks,
                   ResultSink* sink,
                   const std::function<void(const GroupMap&)>& regroup) {
  const PairSessionPlan plan = make_pair_plan(config, frame);
  PairRounds rounds;
  rounds.regroup = regroup;
  if (sink == nullptr) {
    SilentObserver nothing;
    return run_pair_session(control, plan, hooks, rounds, nothing);
  }
  PairsLead lead(config, frame, *sink);
  rounds.next = [&lead] { return lead.next(); };
  rounds.expected_rounds = [&lead] { return lead.expected_rounds(); };
  const ExitCode code = run_pair_session(control, plan, hooks, rounds, lead);
  lead.write_findings();
  return code;
}

}  // namespace viaduct
