#include "pairs/host_layout.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace viaduct {

namespace {

/// Hosts in the order of their first rank.
std::vector<int> host_indices(const std::vector<int>& host_keys) {
  std::map<int, int> index_of;
  std::vector<int> indices;
  indices.reserve(host_keys.size());
  for (const int key : host_keys) {
    const int next = static_cast<int>(index_of.size());
    indices.push_back(index_of.emplace(key, next).first->second);
  }
  return indices;
}

void tell_apart(std::vector<std::string>& names, const std::vector<std::vector<int>>& ranks_of) {
  std::map<std::string, int> uses;
  for (const std::string& one : names) {
    ++uses[one];
  }
  for (std::size_t host = 0; host < names.size(); ++host) {
    if (uses[names[host]] > 1) {
      names[host] += "#" + std::to_string(ranks_of[host].front());
    }
  }
}

}  // namespace

HostLayout HostLayout::of(const std::vector<RankSite>& sites) {
  std::vector<int> keys;
  keys.reserve(sites.size());
  for (const RankSite& site : sites) {
    keys.push_back(site.first_of_host);
  }
  HostLayout layout = of_hosts(keys);
  for (std::size_t host = 0; host < layout.names_.size(); ++host) {
    std::vector<int>& ranks = layout.ranks_of_[host];
    std::stable_sort(ranks.begin(), ranks.end(), [&sites](int a, int b) {
      return sites[static_cast<std::size_t>(a)].local_rank <
             sites[static_cast<std::size_t>(b)].local_rank;
    });
    for (std::size_t seat = 0; seat < ranks.size(); ++seat) {
      layout.seat_of_[static_cast<std::size_t>(ranks[seat])] = static_cast<int>(seat);
    }
    layout.names_[host] = sites[static_cast<std::size_t>(ranks.front())].host;
  }
  tell_apart(layout.names_, layout.ranks_of_);
  return layout;
}

HostLayout HostLayout::of_hosts(const std::vector<int>& host_of) {
  HostLayout layout;
  layout.host_of_ = host_indices(host_of);
  layout.seat_of_.resize(host_of.size());
  for (std::size_t rank = 0; rank < host_of.size(); ++rank) {
    const auto host = static_cast<std::size_t>(layout.host_of_[rank]);
    if (host == layout.ranks_of_.size()) {
      layout.ranks_of_.emplace_back();
      layout.names_.push_back("host" + std::to_string(host));
    }
    std::vector<int>& ranks = layout.ranks_of_[host];
    layout.seat_of_[rank] = static_cast<int>(ranks.size());
    ranks.push_back(static_cast<int>(rank));
    layout.seats_ = std::max(layout.seats_, static_cast<int>(ranks.size()));
  }
  return layout;
}

}  // namespace viaduct
