#pragma once
// The words of lists of values, on the command line and in plans alike: datatypes, reductions,
// roots, traffic. Must not know where a word came from.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"
#include "core/traffic.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

/// The values that one word stands for: "all" is every one. Throws Error(usage) with the nearest
/// names.
std::vector<Datatype> datatypes_of_word(const std::string& word);
std::vector<ReduceOp> reductions_of_word(const std::string& word);

/// Bytes of the smallest element; of float32, the usual default, where none is given.
std::uint64_t smallest_element(const std::vector<Datatype>& datatypes);

/// "3", or "all" and -1 (as in nccl-tests): no entry, which stands for every rank. Throws
/// Error(usage).
std::vector<int> roots_of_word(const std::string& word);

/// No entry as soon as one word stands for every rank.
std::vector<int> roots_of_words(const std::vector<std::string>& words);

/// "uniform", "skewed", or a file of weights, ranks x ranks: one line for each rank that sends,
/// with numbers joined by blanks or commas; '#' begins a comment. Throws Error(usage) with file,
/// line and value.
Traffic traffic_of_word(const std::string& word);

/// Throws Error(usage) for an offset that is a mistake rather than a misalignment.
void expect_offset(std::uint64_t offset_bytes);

}  // namespace viaduct
