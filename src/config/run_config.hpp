#pragma once
// What a run shall do, as one value: from a plan file, from the command line, or both (the command
// line wins).

#include "core/case.hpp"
#include "core/copy_operation.hpp"
#include "core/path_spec.hpp"
#include "core/sweep.hpp"
#include "pairs/schedule.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// auto_: copy where the operations are copies; else nccl where a GPU is visible, else mpi.
enum class EngineChoice { auto_, nccl, mpi, copy };

enum class LanesChoice { automatic, together, serial };

/// `viaduct run pairs`: every pair of ranks is measured.
struct PairsChoice {
  PairSchedule schedule = PairSchedule::tournament;
  double budget_s = 0;  ///< --budget; 0: none, the whole matrix

  friend bool operator==(const PairsChoice&, const PairsChoice&) = default;
};

/// The cases of one block of a plan: the product of its lists.
struct CaseBlock {
  std::vector<std::string> operations;
  std::vector<std::uint64_t> sizes_bytes;  ///< expanded, rising
  std::vector<Datatype> datatypes;  ///< empty: float32, and uint8 for messages between two ranks
  std::vector<ReduceOp> reductions{ReduceOp::sum};
  std::vector<Placement> placements{Placement::out_of_place};
  std::vector<Mode>
      modes;  ///< empty: the default (graph and stream up to 1 MiB, stream above; stream on a host)
  std::vector<int> roots{0};  ///< empty: every rank in turn
  bool keeps_sizes = false;   ///< sizes on the command line are not meant for it
};

/// What a plan says for one engine only; what it leaves out stays as the plan says for every
/// engine.
struct EngineSection {
  Engine engine = Engine::nccl;
  std::vector<std::string> path_names;
  std::optional<double> cap_s;
  std::vector<CaseBlock> blocks;
};

/// Where the gates of a run stand; all empty: there are none.
struct GateSource {
  std::string word;     ///< --gates or the plan: a file, or a name of `viaduct list gates`
  std::string text;     ///< the plan's own, as JSON
  std::string origin;   ///< of the text: the plan's file
  std::string pointer;  ///< of the text in the plan

  [[nodiscard]] bool has_any() const { return !word.empty() || !text.empty(); }
};

struct RunConfig {
  std::string plan_name;
  EngineChoice engine = EngineChoice::auto_;
  std::vector<std::string>
      path_names;  ///< --paths; empty: the plan's, else the engine's default set
  std::vector<std::string> added_path_names;  ///< --path; only used while path_names is empty
  std::vector<PathSpec> own_paths;  ///< --path, --paths-file and the plan's own definitions
  std::vector<CaseBlock> blocks;
  std::vector<EngineSection> engine_sections;  ///< folded in by for_engine()

  std::string group = "all";  ///< --group: all, host, rail, or the number of ranks in a group
  std::vector<int> pair;      ///< --pair: two ranks, the others stay idle; empty: all ranks
  std::optional<PairsChoice> pairs;
  Method method = Method::viaduct;
  LanesChoice lanes = LanesChoice::automatic;
  int reopen = 1;
  double cap_s = 5.0;                              ///< --time
  std::optional<std::uint64_t> fixed_operations;   ///< -n
  std::optional<std::uint64_t> warmup_operations;  ///< -w
  std::optional<std::uint64_t> graph_replays;      ///< -G
  std::uint64_t checked_batches = 4;               ///< -c
  BufferKind buffers = BufferKind::plain;
  std::uint64_t offset_bytes = 0;            ///< --offset
  std::vector<Traffic> traffics{Traffic{}};  ///< --traffic, for operations with unequal blocks
  std::optional<std::uint64_t> slots;        ///< --slots; empty: as many as measuring chooses
  std::optional<int> window;                 ///< --window; empty: as the operation has it
  std::uint64_t seed = 1;
  bool keep_samples = false;      ///< --samples
  bool probes_algorithms = true;  ///< --probe: ask NCCL once for each case what it chooses
  bool requires_path = false;     ///< --require-path: a path that is not proven fails the run

  GateSource gates;

  int expect_ranks = 0;          ///< 0: not given
  int expect_gpus_per_node = 0;  ///< 0: not given
  bool allow_single = false;
  std::string bind = "gpu";  ///< gpu, launcher, none

  std::string out_dir = "viaduct-results";
  std::string out_name;  ///< file name without folder; empty: made from date and plan
  bool quiet = false;
  double deadline_s = 0;  ///< of the whole run; 0: none
};

/// To hand the configuration of rank 0 to the others, and back. Throws Error(internal).
std::string to_text(const RunConfig& config);
RunConfig run_config_from_text(const std::string& text);

/// auto, nccl, mpi, copy; auto, together, serial. The readers throw Error(usage) with the allowed
/// words.
const char* name(EngineChoice choice);
const char* name(LanesChoice choice);
EngineChoice choice_of(Engine engine);
EngineChoice parse_engine_choice(std::string_view text);
LanesChoice parse_lanes_choice(std::string_view text);

/// Adds a definition. Throws Error(usage) when a preset or another definition has its name.
void add_own_path(RunConfig& config, PathSpec path);

/// One more path to measure, after those that are asked for, the section's or the default ones.
void add_path_name(RunConfig& config, const std::string& name);

/// The configuration with the section of that engine in place and no sections left. Whoever reads
/// cap_s, path_names or blocks calls it first; resolve_paths and expand_cases do so themselves.
RunConfig for_engine(RunConfig config, Engine engine);

/// The engine of a run on a machine where a GPU is visible or not.
Engine resolve_engine(const RunConfig& config, bool gpu_is_visible);

/// The paths of the run in order, the first being the reference. Throws Error(usage) for unknown
/// names, names given twice, a path of the other engine.
std::vector<PathSpec> resolve_paths(const RunConfig& config, Engine engine);

struct ExpandRules {
  Engine engine = Engine::nccl;
  bool any_lane_uses_network = false;  ///< then graph becomes stream (see README, modes)
  int ranks = 1;                       ///< of the largest communicator: the roots of "all"
  int gpus = 2;                        ///< of the host with the most: the ends of copies
};

/// Which lists of a block matter to an operation; the others are folded to one entry.
struct OperationTraits {
  bool reduces = false;
  bool has_root = false;
  bool has_size = true;
  bool has_traffic = false;
  bool is_pairwise = false;             ///< elements are bytes unless asked for otherwise
  int default_window = 0;               ///< 0: no window
  bool shows_distribution = false;      ///< mode each is measured by default
  const CopyOperation* copy = nullptr;  ///< null: no operation of the copy engine
};

/// Every case in order: block, operation, traffic, datatype, reduction, root, placement, size,
/// mode. Throws Error(usage) without a case.
std::vector<Case> expand_cases(const RunConfig& config,
                               const ExpandRules& rules,
                               OperationTraits (*traits)(const std::string& operation));

}  // namespace viaduct
