#pragma once
// The cells of one measurement in the table, and the notes and marks that they need in the footer.

#include "report/table_groups.hpp"
#include "report/table_layout.hpp"

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace viaduct {

/// What the footer must explain, because some cell shows it.
enum class Mark {
  interval,
  missed_goal,
  unsettled,
  unchecked,
  no_record,
  ratio,
  unproven,
  no_contrast,
  contradicted,
  health,
  spread,
  directions,
  share
};

/// Numbered notes (a text gets one number however often it is used) and the marks in use.
class TableNotes {
 public:
  /// "[1]".
  std::string reference(const std::string& text);

  void use(Mark mark) { marks_.insert(mark); }

  [[nodiscard]] bool uses(Mark mark) const { return marks_.contains(mark); }

  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< of the texts
  std::set<Mark> marks_;
};

/// Which columns beyond time, interval, bandwidths and wrong elements the records of a table fill.
struct ExtraColumns {
  bool percentiles = false;
  bool launches = false;
  bool messages = false;    ///< messages per second
  bool directions = false;  ///< both directions at once / one of them
  bool share = false;       ///< busbw / limit
};

ExtraColumns extra_columns(const CaseTable& table);

std::vector<TextColumn> path_columns(const ExtraColumns& extra, bool with_ratio);

/// Its time was up, or the run was ended, before it was as precise as wanted.
bool has_missed_goal(const Measurement& measurement);

/// `measurement` may be nullptr: no record. `verdict` is looked at only with_ratio; nullptr: none.
GroupCells path_cells(const Measurement* measurement,
                      const Verdict* verdict,
                      const ExtraColumns& extra,
                      bool with_ratio,
                      TableNotes& notes);

}  // namespace viaduct
