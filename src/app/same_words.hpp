#pragma once
// Whether the ranks of this host were started with the same words, found out before MPI_Init: words
// choose the path of the mpi engine, and ranks on different paths fail inside MPI_Init with words
// that help nobody. Knows no MPI: ranks meet in the folder that the launcher made for them.

#include "paths/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// Leaves this rank's words in the launcher's folder of the job (PMIX_SERVER_TMPDIR) and reads
/// those that are there. The complaint where some differ; "" where another rank has made it
/// already; empty where all that are there agree, or where the launcher has no such folder. Of two
/// ranks with different words at least the later one sees it. Ranks of other hosts are compared
/// after MPI_Init.
std::optional<std::string> complain_of_other_words(const Environment& environment,
                                                   const std::vector<std::string>& words);

/// Every rank got the same words: this rank's file goes.
void forget_words(const Environment& environment);

}  // namespace viaduct
