#pragma once
// What `viaduct import` prints of a baseline: words for people, JSON for programs. Pure.

#include "baselines/baseline.hpp"

#include <string>

namespace viaduct {

/// The tables with what is known of each run, then its notes.
std::string baseline_text(const Baseline& baseline);

/// A list of {operation, size_bytes, count, datatype, reduction, root, out_of_place | in_place:
/// {time_us, algbw_gbs, busbw_gbs, wrong}}, null where the source says nothing; one item for each
/// row of the runs that are not refused. Such an item has besides {ranks, run: index from 0,
/// run_peak_busbw_gbs, run_average_busbw_gbs: the footer's, run_notes: [{word, text}]}. A cell of a
/// matrix is an item with `from` and `to` besides, its value as algbw_gbs or, a latency, as time_us
/// of out_of_place.
std::string baseline_json(const Baseline& baseline);

}  // namespace viaduct
