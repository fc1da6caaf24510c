#pragma once
// Writes a result file line by line, each flushed. A file that ends without `end` is readable and
// partial.

#include "report/record_json.hpp"

#include <cstdint>
#include <string>

namespace viaduct {

class ResultWriter {
 public:
  /// Makes the folder (with parents) and a new file in it. `name` without folder; ".jsonl" is added
  /// where it is missing. Never overwrites: a taken name becomes name-2, name-3, ... Throws
  /// Error(usage) when folder or file cannot be written.
  ResultWriter(const std::string& folder, const std::string& name);
  ~ResultWriter();

  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Throw Error(io) when the line could not be written whole (a full disk); the torn line is cut
  /// off again.
  void write(const Manifest& manifest);
  void write(const Measurement& measurement);
  void write(const PathEvidence& evidence);
  void write(const Verdict& verdict);
  void write(const PairFinding& finding);
  void write(const GateVerdict& gate);
  void write(const End& end);

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  void write_line(const nlohmann::json& json);
  void sync();

  /// Cuts the file back to its last whole line, then throws.
  [[noreturn]] void give_up_line(int error_number);

  std::string file_;
  int descriptor_ = -1;
  std::uint64_t whole_bytes_ = 0;  ///< length of the file up to its last whole line
};

}  // namespace viaduct
