#include "paths/launch_log.hpp"

#include <string>

namespace viaduct {

namespace {

void read_lines(NcclLogReader& reader, int rank, const GroupMap& groups, std::string_view lines) {
  reader.begin("rank " + std::to_string(rank), groups.groups()[groups.group_of(rank)].ranks);
  reader.append(lines);
  reader.end();
}

}  // namespace

void LaunchLog::take(int rank, std::size_t split, const GroupMap& groups, std::string_view lines) {
  if (split < split_) {
    NcclLogReader late;
    read_lines(late, rank, groups, lines);
    append(before_, late.log());
    return;
  }
  if (split > split_) {
    append(before_, latest_.take());
    split_ = split;
  }
  read_lines(latest_, rank, groups, lines);
}

const NcclLog& LaunchLog::of_split(std::size_t split) const {
  static const NcclLog nothing;
  return split == split_ ? latest_.log() : nothing;
}

NcclLog LaunchLog::whole() const {
  NcclLog all = before_;
  append(all, latest_.log());
  return all;
}

}  // namespace viaduct
