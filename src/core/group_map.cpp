#include "core/group_map.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace viaduct {

namespace {

constexpr const char* right_form = "write all, host, rail or a number of ranks from 1";

/// The number of a kind that is one; 0 for a word.
int number_of(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && number > 0 && text.front() != '0' ? number : 0;
}

std::string count_of(std::size_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

/// Ranks of each host in the order of its first rank, which is its key.
using Hosts = std::map<int, std::vector<int>>;

Hosts hosts_of(const std::vector<RankSite>& sites) {
  Hosts hosts;
  for (std::size_t rank = 0; rank < sites.size(); ++rank) {
    hosts[sites[rank].first_of_host].push_back(static_cast<int>(rank));
  }
  return hosts;
}

const std::string& host_name_of(const Hosts::value_type& host, const std::vector<RankSite>& sites) {
  return sites[static_cast<std::size_t>(host.second.front())].host;
}

std::vector<RankGroup> by_host(const std::vector<RankSite>& sites) {
  std::vector<RankGroup> groups;
  for (const auto& host : hosts_of(sites)) {
    std::string name = host_name_of(host, sites);
    const bool is_taken = std::any_of(
        groups.begin(), groups.end(), [&name](const RankGroup& g) { return g.name == name; });
    if (is_taken) {
      name += " from rank " + std::to_string(host.first);
    }
    groups.push_back({"host", static_cast<int>(groups.size()), name, host.second});
  }
  return groups;
}

/// Every host must have as many ranks as the first.
void expect_equal_hosts(const Hosts& hosts, const std::vector<RankSite>& sites) {
  const auto& first = *hosts.begin();
  for (const auto& host : hosts) {
    if (host.second.size() != first.second.size()) {
      throw Error(ErrorKind::usage,
                  "--group rail: host " + host_name_of(first, sites) + " has " +
                      count_of(first.second.size(), "rank") + ", host " +
                      host_name_of(host, sites) + " has " + std::to_string(host.second.size()) +
                      "; start equally many on every host, or take --group host");
    }
  }
}

std::vector<RankGroup> by_rail(const std::vector<RankSite>& sites) {
  const Hosts hosts = hosts_of(sites);
  expect_equal_hosts(hosts, sites);
  std::vector<RankGroup> groups(hosts.begin()->second.size());
  for (std::size_t rail = 0; rail < groups.size(); ++rail) {
    const std::string number = std::to_string(rail);
    groups[rail] = {"rail", static_cast<int>(rail), "rail " + number, {}};
    for (const auto& host : hosts) {
      for (const int rank : host.second) {
        if (sites[static_cast<std::size_t>(rank)].local_rank == static_cast<int>(rail)) {
          groups[rail].ranks.push_back(rank);
        }
      }
    }
    std::sort(groups[rail].ranks.begin(), groups[rail].ranks.end());
  }
  return groups;
}

std::vector<RankGroup> by_number(const std::string& kind, int ranks) {
  const int size = number_of(kind);
  if (ranks % size != 0) {
    throw Error(ErrorKind::usage,
                "--group " + kind + ": " + count_of(static_cast<std::size_t>(ranks), "rank") +
                    " cannot be split into groups of " + kind +
                    "; the number must divide that of the ranks");
  }
  std::vector<RankGroup> groups;
  for (int first = 0; first < ranks; first += size) {
    const int last = first + size - 1;
    RankGroup group{kind, first / size, "rank " + std::to_string(first), {}};
    if (last > first) {
      group.name = "ranks " + std::to_string(first) + "-" + std::to_string(last);
    }
    for (int rank = first; rank <= last; ++rank) {
      group.ranks.push_back(rank);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// A group of one rank moves nothing over a link, and its numbers would look like a very fast one.
void expect_company(const std::string& kind, const std::vector<RankGroup>& groups) {
  const auto alone = std::find_if(
      groups.begin(), groups.end(), [](const RankGroup& g) { return g.ranks.size() == 1; });
  if (alone != groups.end()) {
    throw Error(ErrorKind::usage,
                "--group " + kind + ": group '" + alone->name + "' is rank " +
                    std::to_string(alone->ranks.front()) +
                    " alone, which measures nothing over a link; give every group 2 ranks or "
                    "more, or allow it with --allow-single");
  }
}

}  // namespace

GroupMap GroupMap::of_all(int ranks) {
  RankGroup everyone{"all", 0, "all", {}};
  for (int rank = 0; rank < ranks; ++rank) {
    everyone.ranks.push_back(rank);
  }
  return GroupMap("all", {std::move(everyone)});
}

GroupMap GroupMap::with_idle(std::string kind, int ranks, std::vector<RankGroup> groups) {
  std::vector<bool> measures(static_cast<std::size_t>(ranks), false);
  for (const RankGroup& group : groups) {
    for (const int rank : group.ranks) {
      if (rank >= 0 && rank < ranks) {
        measures[static_cast<std::size_t>(rank)] = true;
      }
    }
  }
  RankGroup idle{"idle", static_cast<int>(groups.size()), "idle", {}};
  for (int rank = 0; rank < ranks; ++rank) {
    if (!measures[static_cast<std::size_t>(rank)]) {
      idle.ranks.push_back(rank);
    }
  }
  const bool has_idle = !idle.ranks.empty();
  if (has_idle) {
    groups.push_back(std::move(idle));
  }
  GroupMap map(std::move(kind), std::move(groups));
  if (has_idle) {
    map.idle_ = map.count() - 1;
  }
  return map;
}

GroupMap GroupMap::of_pair(int ranks, const RankPair& pair) {
  const auto text = std::to_string(pair.first) + "," + std::to_string(pair.second);
  for (const int rank : {pair.first, pair.second}) {
    if (rank < 0 || rank >= ranks) {
      throw Error(ErrorKind::usage,
                  "--pair " + text + ": there is no rank " + std::to_string(rank) +
                      "; the launch has " + count_of(static_cast<std::size_t>(ranks), "rank") +
                      ", 0 to " + std::to_string(ranks - 1));
    }
  }
  if (pair.first == pair.second) {
    throw Error(ErrorKind::usage, "--pair " + text + ": write two different ranks");
  }
  return with_idle(
      "pair", ranks, {RankGroup{"pair", 0, "ranks " + text, {pair.first, pair.second}}});
}

GroupMap GroupMap::of_pairs(int ranks, const std::vector<RankPair>& pairs) {
  std::vector<RankGroup> groups;
  for (const RankPair& pair : pairs) {
    const auto text = std::to_string(pair.first) + "," + std::to_string(pair.second);
    groups.push_back(
        {"pairs", static_cast<int>(groups.size()), "ranks " + text, {pair.first, pair.second}});
  }
  return with_idle("pairs", ranks, std::move(groups));
}

GroupMap::GroupMap(std::string kind, std::vector<RankGroup> groups)
    : kind_(std::move(kind)),
      groups_(std::move(groups)) {
  std::size_t ranks = 0;
  for (const RankGroup& group : groups_) {
    ranks += group.ranks.size();
  }
  seats_.resize(ranks);
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const std::vector<int>& members = groups_[group].ranks;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto rank = static_cast<std::size_t>(members[i]);
      if (members[i] < 0 || rank >= ranks || seats_[rank].rank >= 0) {
        throw Error(ErrorKind::internal,
                    "rank " + std::to_string(members[i]) + " is in two groups, or another in none");
      }
      seats_[rank] = {group, static_cast<int>(i)};
    }
  }
}

int GroupMap::largest() const {
  std::size_t most = 0;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    most = is_idle(group) ? most : std::max(most, groups_[group].ranks.size());
  }
  return static_cast<int>(most);
}

const GroupMap::Seat& GroupMap::seat(int rank) const {
  if (rank < 0 || rank >= ranks()) {
    throw Error(ErrorKind::internal, "rank " + std::to_string(rank) + " is in no group");
  }
  return seats_[static_cast<std::size_t>(rank)];
}

std::string parse_group_kind(std::string_view text) {
  const bool is_word = text == "all" || text == "host" || text == "rail";
  if (!is_word && (text.empty() || number_of(text) == 0)) {
    throw Error(ErrorKind::usage, "unknown group '" + std::string(text) + "'; " + right_form);
  }
  return std::string(text);
}

GroupMap make_group_map(const std::string& kind,
                        const std::vector<RankSite>& sites,
                        bool allow_single) {
  const std::string known = parse_group_kind(kind);
  const int ranks = static_cast<int>(sites.size());
  if (known == "all" || sites.empty()) {
    return GroupMap::of_all(ranks);
  }
  std::vector<RankGroup> groups = known == "host"   ? by_host(sites)
                                  : known == "rail" ? by_rail(sites)
                                                    : by_number(known, ranks);
  if (!allow_single) {
    expect_company(known, groups);
  }
  return {known, std::move(groups)};
}

bool spans_hosts(const GroupMap& map, const std::vector<RankSite>& sites) {
  const auto host_of = [&sites](int rank) {
    return sites.at(static_cast<std::size_t>(rank)).first_of_host;
  };
  const auto spans = [&host_of](const RankGroup& group) {
    return std::any_of(group.ranks.begin(), group.ranks.end(), [&](int rank) {
      return host_of(rank) != host_of(group.ranks.front());
    });
  };
  for (std::size_t group = 0; group < map.count(); ++group) {
    if (!map.is_idle(group) && spans(map.groups()[group])) {
      return true;
    }
  }
  return false;
}

}  // namespace viaduct
