#pragma once
// The block "Paths" below the tables: which way the bytes of each path took, and how that is known.

#include "report/result_reader.hpp"

#include <map>
#include <string>

namespace viaduct {

/// "P2P/CUMEM on 2 of 2 pairs, 24 channels": what carried between the pairs, and the most channels
/// of one.
std::string transports_text(const PathEvidence& evidence);

/// One line for each path with evidence; empty without any.
std::string paths_block(const Result& result);

/// What proves the cases of each path: "log", "counters" or "log and counters"; no entry: nothing
/// does.
using Proofs = std::map<std::string, std::string>;

Proofs proofs_of(const Result& result);

}  // namespace viaduct
