#pragma once
// A hosts file: one host a line, "node01 slots=4", as mpirun reads it. No launcher is known here.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct HostSlots {
  std::string host;
  int slots = 0;  ///< 0: the line does not say
};

/// Blank lines and everything after '#' are left out. Throws Error(usage) with `origin` and line: a
/// word other than slots=N or max_slots=N (max-slots=N), slots below 1, a host given twice, no host
/// at all.
std::vector<HostSlots> parse_hosts(std::string_view text, const std::string& origin);

/// Throws Error(usage) that names the file.
std::vector<HostSlots> read_hosts_file(const std::string& file);

/// Sum of the slots; 0 when a line does not say.
int total_slots(const std::vector<HostSlots>& hosts);

}  // namespace viaduct
