#pragma once
// What another tool's output says, as values: tables of collectives and matrices of copies. What
// the source does not say is empty, never a default.

#include "baselines/copy_matrix.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// One placement of a row. Every number is the source's own; none is computed from another.
struct BaselineTimes {
  std::optional<double> time_us;  ///< of one operation
  std::optional<double> algbw_gbs;
  std::optional<double> busbw_gbs;
  std::optional<std::uint64_t> wrong;   ///< elements over all ranks; empty: not checked
  std::optional<double> largest_delta;  ///< column `error` up to nccl-tests 2.11; above 0 it says
                                        ///< nothing of how many elements
  std::vector<double> samples_us;       ///< of single operations (nccl-tests -I), in order
};

struct BaselineRow {
  std::size_t line = 0;   ///< in the file, from 1; 0: a document without lines
  std::string operation;  ///< "all_reduce"; empty: the source does not say
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> count;
  std::string datatype;   ///< our names, "float32"; a type that we do not know as it stands there
  std::string reduction;  ///< empty: none, or not said
  std::optional<int> root;
  std::optional<int> group;
  std::optional<int> ranks;
  std::optional<BaselineTimes> out_of_place;
  std::optional<BaselineTimes> in_place;
};

struct BaselineDevice {
  int rank = 0;
  int group = 0;
  std::string host;
  std::optional<int> pid;
  std::optional<int> device;
  std::string bus_id;
  std::string name;
};

/// A remark on what was read. The word is one of
///   NOT_CHECKED      results were not compared, whatever a footer says
///   FAILED           the source reports wrong data
///   IMPLAUSIBLE      values that no machine gives; they are left out
///   INVALID_LAUNCH   ranks alone or runs mixed: no row is reported
///   NO_DATA          a table without rows that can be read
///   TORN             rows that cannot be read; they are left out, the first is named
///   DISAGREES        a footer that does not fit the rows
///   OUTLIER          one cell far below its neighbours
///   UNKNOWN          what the source does not say, or says in words unknown here
struct BaselineNote {
  std::string word;
  std::string text;
};

/// "# Out of bounds values : 4 FAILED": checks that saw a wrong element, not elements.
struct OutOfBounds {
  std::uint64_t count = 0;
  bool is_ok = false;
};

/// One run of a collective test: one table.
struct BaselineRun {
  std::string tool;                   ///< nccl-tests, rccl-tests
  std::string version;                ///< of the tool; empty: not said
  std::optional<int> nccl_version;    ///< NCCL_VERSION_CODE of the library
  std::optional<int> nccl_built;      ///< that of the headers; empty: not said
  std::string started_at;             ///< as it stands there
  std::string operation;              ///< of all rows; empty: not said, or several
  bool operation_is_deduced = false;  ///< from columns, sizes and factors; the source has no name
  std::optional<int> ranks;
  std::vector<BaselineDevice> devices;  ///< not always all of them (see the JSON reader)
  std::optional<int> warmup;
  std::optional<int> iterations;
  std::optional<int> aggregated;
  std::optional<bool> validation;
  std::optional<int> graph;         ///< launches of a CUDA graph; 0: none
  std::optional<int> registration;  ///< -R of nccl-tests; only a command line says it
  std::vector<BaselineRow> rows;
  std::optional<OutOfBounds> out_of_bounds;
  std::optional<double> average_busbw;  ///< the footer's: mean of every cell of every size
  std::size_t line = 0;
  std::string refusal;  ///< word of the note that forbids to report the rows; empty: none
  std::vector<BaselineNote> notes;
};

struct Baseline {
  std::string file;
  std::string format;  ///< name of the reader
  std::vector<BaselineRun> runs;
  std::vector<CopyMatrix> matrices;
  std::vector<std::string> waived;  ///< tests that the source left out; empty names: it gave none
  std::vector<BaselineNote> notes;  ///< on the whole file
};

/// Placement by placement, for code that treats both alike.
std::vector<const BaselineTimes*> cells_of(const BaselineRow& row);

/// The largest busbw of all cells; empty: none.
std::optional<double> peak_busbw(const BaselineRun& run);

/// The rows that may be reported, over all runs without a refusal.
std::size_t reportable_rows(const Baseline& baseline);

/// All notes, the file's first, each as "WORD: text".
std::vector<std::string> note_lines(const Baseline& baseline);

}  // namespace viaduct
