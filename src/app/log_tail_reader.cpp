#include "app/log_tail_reader.hpp"

#include <array>
#include <fstream>

namespace viaduct {

std::string LogTailReader::take(const std::function<bool(std::string_view)>& is_wanted) {
  std::ifstream in(file_, std::ios::binary);
  in.seekg(offset_);
  std::array<char, std::size_t{64} * 1024> piece{};
  while (in) {
    in.read(piece.data(), piece.size());
    carry_.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    offset_ += in.gcount();
  }
  std::string wanted;
  std::size_t at = 0;
  for (std::size_t end = carry_.find('\n'); end != std::string::npos; end = carry_.find('\n', at)) {
    const std::string_view line(carry_.data() + at, end - at);
    if (is_wanted(line)) {
      wanted.append(line).push_back('\n');
    }
    at = end + 1;
  }
  carry_.erase(0, at);
  return wanted;
}

}  // namespace viaduct
