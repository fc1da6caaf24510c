#pragma once
// What all ranks agree on before anything is started: rank 0 reads words and plan, the others take
// its word for it.

#include "app/rank_run.hpp"
#include "app/result_sink.hpp"
#include "app/run_gates.hpp"

#include <memory>
#include <string>
#include <vector>

namespace viaduct {

/// Everything about a run that is the same on every rank.
struct Agreed {
  RunConfig config;
  std::string help;  ///< not empty: only this was asked for
  Engine engine = Engine::nccl;
  std::vector<PathSpec> paths;
};

/// Whether this is one block of a run that `viaduct launch` joins and prints.
bool is_block(const std::vector<std::string>& words);

/// Makes the result file on rank 0 (`sink`) and loads the gates there. Throws Error(usage) and
/// Error(refused) on every rank alike.
Agreed agree_on_run(const RankSetting& setting,
                    std::unique_ptr<ResultSink>& sink,
                    LoadedGates& gates);

/// The variables of a path of the mpi engine must have been there at MPI_Init on every rank. Throws
/// Error(refused) on every rank alike.
void expect_path_variables(Control& control, const PathSpec& path);

}  // namespace viaduct
