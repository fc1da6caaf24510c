#pragma once
// Which GPUs of a host can read and write each other's memory, by CUDA's own word. Must not know
// CUDA.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct PeerAccess {
  std::vector<std::string> bus_ids;  ///< by CUDA index: "0000:17:00.0"
  /// One for each GPU that would access, one letter for each GPU whose memory it is: y, n, or '-'
  /// for itself.
  std::vector<std::string> rows;

  [[nodiscard]] int gpus() const { return static_cast<int>(bus_ids.size()); }

  [[nodiscard]] bool can_access(int gpu, int memory_of) const {
    return rows.at(static_cast<std::size_t>(gpu)).at(static_cast<std::size_t>(memory_of)) == 'y';
  }

  friend bool operator==(const PeerAccess&, const PeerAccess&) = default;
};

/// "0000:17:00.0,0000:3d:00.0;-y,y-". The reader throws Error(lost) for anything else.
std::string to_text(const PeerAccess& access);
PeerAccess peer_access_from_text(std::string_view text);

}  // namespace viaduct
