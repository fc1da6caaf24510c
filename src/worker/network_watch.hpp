#pragma once
// Whether NCCL's log shows a network transport so far. Reads only what was appended since it last
// looked; judges no path.

#include <ios>
#include <string>

namespace viaduct {

class NetworkWatch {
 public:
  /// The file may not exist yet; empty: there is none.
  explicit NetworkWatch(std::string file) : file_(std::move(file)) {}

  /// Whether a line with " via NET/" has been written. Once true, always true.
  bool has_seen_network();

 private:
  bool contains_marker(const char* bytes, std::size_t count);

  std::string file_;
  std::string carry_;  ///< end of the last piece: the marker may lie across two
  std::streamoff offset_ = 0;
  bool has_seen_ = false;
};

}  // namespace viaduct
