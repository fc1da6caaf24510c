#pragma once
// Every field of a measurement as a named column, for formats that show one row for each record.
// Units stand in the names. It knows values, not how a format writes them.

#include "report/result_reader.hpp"
#include "report/verdict_index.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct RecordRow {
  const Result* result = nullptr;
  const Measurement* measurement = nullptr;
  const Verdict* verdict = nullptr;  ///< against the reference; nullptr: none
};

struct RecordColumn {
  const char* name;
  bool is_number;
  std::string (*text)(const RecordRow& row);  ///< "": null in the record; numbers with every digit
};

/// Whether what the measurements hold under that key was measured, or said by an imported source.
bool is_known(const Manifest& manifest, const std::string& key);

/// The column of a row; "" also where the manifest lists it as not known (an imported source).
std::string column_text(const RecordColumn& column, const RecordRow& row);

/// In the order in which formats show them.
const std::vector<RecordColumn>& record_columns();

/// "complete", "interrupted", "failed", or "partial" for a file without end.
std::string run_status(const Result& result);

}  // namespace viaduct
