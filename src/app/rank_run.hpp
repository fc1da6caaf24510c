#pragma once
// One rank's part of a run, from the words of the command line to the end of the result file.

#include "app/stop_watch.hpp"
#include "config/run_config.hpp"
#include "control/control.hpp"
#include "core/deadline.hpp"
#include "mpi/mpi_session.hpp"
#include "paths/environment.hpp"
#include "probe/gpus.hpp"

#include <memory>
#include <string>
#include <vector>

namespace viaduct {

struct RankSetting {
  MpiSession& mpi;
  Control& control;
  StopWatch& stop;
  Environment inherited;  ///< before anything was hidden from MPI
  NvmlReport gpus;
  std::vector<std::string> words;  ///< after `viaduct run`
  Deadline::Clock::time_point started;
};

/// The configuration as these words give it, with plan files read. `--from-config FILE` alone takes
/// a whole configuration (made by `viaduct launch` for one block of the mpi engine).
RunConfig read_config(const std::vector<std::string>& words, std::string* help);

/// Returns the exit code, the same on every rank. Error(usage) and Error(refused) are thrown on
/// every rank alike.
int run_rank(const RankSetting& setting);

}  // namespace viaduct
