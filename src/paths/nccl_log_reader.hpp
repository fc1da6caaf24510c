#pragma once
// NCCL logs of any number of ranks, in pieces as they come, into one NcclLog.

#include "paths/nccl_fact_line.hpp"
#include "paths/nccl_log.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

class NcclLogReader {
 public:
  /// The next log; its name stands in the places of torn lines. NCCL counts ranks within their
  /// communicator: the rank that it calls i is launch_ranks[i] from here on, and a line that names
  /// one beyond is torn. Empty: as printed.
  void begin(std::string log_name, std::vector<int> launch_ranks = {});

  void append(std::string_view bytes);

  /// Of this log. A last line without a line end is read as well, but what a cut could have taken
  /// from it is left unknown.
  void end();

  /// All logs so far.
  [[nodiscard]] const NcclLog& log() const { return log_; }

  NcclLog take();

 private:
  void take_line(std::string_view raw, bool has_end);
  void take_edge(LogEdge edge, const LogWriter& writer, bool has_end);
  void take_torn();
  void take_headless(std::string_view line);
  void take_message(std::string_view message, const LogWriter& writer);
  void take_warning(LogWarning warning);
  void take_failure(LogFailure failure);
  void take_communicator(LogCommunicator comm);

  /// False: no such rank in this log's communicator.
  [[nodiscard]] bool rename(int& rank) const;
  [[nodiscard]] bool rename(LogEdge& edge) const;

  NcclLog log_;
  std::string log_name_;
  std::vector<int> launch_ranks_;                  ///< empty: ranks keep their numbers
  std::string carry_;                              ///< begin of a line whose end has not come yet
  bool skips_line_ = false;                        ///< the line is longer than any of NCCL's
  std::uint64_t line_ = 0;                         ///< number of the last line
  std::set<std::string> said_;                     ///< warnings so far, with their process
  std::map<std::string, std::size_t> failure_of_;  ///< index by process, code and text
  std::map<std::string, std::size_t> communicator_of_;  ///< index by process, pointer and rank
};

/// One log that is at hand as a whole.
NcclLog read_nccl_log(std::string_view text, const std::string& log_name = "");

}  // namespace viaduct
