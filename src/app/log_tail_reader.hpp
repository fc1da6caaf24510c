#pragma once
// The new lines of a log file that another process is writing. (worker/log_tail reads the last
// lines of one that has ended.)

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace viaduct {

class LogTailReader {
 public:
  explicit LogTailReader(std::string file) : file_(std::move(file)) {}

  /// Whole lines that have come since the last call and are wanted, each with its line end. A file
  /// that is not there yet has none.
  std::string take(const std::function<bool(std::string_view)>& is_wanted);

 private:
  std::string file_;
  std::int64_t offset_ = 0;
  std::string carry_;  ///< begin of a line whose end has not come yet
};

}  // namespace viaduct
