#include "report/peer_access_text.hpp"

#include "core/copy_operation.hpp"
#include "core/size_text.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace viaduct {

namespace {

std::string matrix_text(const RankInfo& rank, const PeerAccess& access) {
  std::string text =
      fmt::format("Peer access on {} (row: the GPU that would access)\n     ", rank.host);
  for (int gpu = 0; gpu < access.gpus(); ++gpu) {
    text += fmt::format(" {:>5}", fmt::format("GPU{}", gpu));
  }
  text += "\n";
  for (std::size_t row = 0; row < access.rows.size(); ++row) {
    text += fmt::format("{:<5}", fmt::format("GPU{}", row));
    for (const char can : access.rows[row]) {
      text += fmt::format(" {:>5}", can == 'y' ? "yes" : can == 'n' ? "no" : "-");
    }
    text += fmt::format("  {}\n", access.bus_ids[row]);
  }
  return text;
}

/// Within which two paths count as equally fast.
constexpr double margin = 0.02;

/// Host, from, to, operation.
using CopyKey = std::tuple<std::string, int, int, std::string>;

bool is_copy_between(const Verdict& verdict) {
  const CopyOperation* operation = find_copy_operation(verdict.c.operation);
  return operation != nullptr && operation->shape == CopyShape::one_way && operation->has_size &&
         operation->timing == CopyTiming::transfer && verdict.c.ends.from != verdict.c.ends.to;
}

bool is_driver_staged(const Manifest& manifest, const std::string& name) {
  for (const PathSpec& path : manifest.paths) {
    const auto route = path.set.find(copy_route_variable);
    if (path.name == name && route != path.set.end()) {
      return parse_copy_route(route->second) == CopyRoute::driver;
    }
  }
  return false;
}

}  // namespace

std::string peer_access_text(const Manifest& manifest) {
  std::string text;
  for (const RankInfo& rank : manifest.rank_info) {
    if (rank.peer_access) {
      text += matrix_text(rank, *rank.peer_access);
    }
  }
  return text;
}

std::vector<std::string> useless_peer_access(const Result& result) {
  std::map<CopyKey, const Verdict*> largest;
  for (const Verdict& verdict : result.verdicts) {
    if (!is_copy_between(verdict) || !is_driver_staged(result.manifest, verdict.path)) {
      continue;
    }
    const CopyKey key{verdict.group ? verdict.group->name : "",
                      verdict.c.ends.from,
                      verdict.c.ends.to,
                      verdict.c.operation};
    const Verdict*& kept = largest[key];
    if (kept == nullptr || kept->c.size_bytes < verdict.c.size_bytes) {
      kept = &verdict;
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [key, verdict] : largest) {
    if (verdict->ratio && verdict->ratio->high <= 1 + margin) {
      const auto& [host, from, to, operation] = key;
      sentences.push_back(fmt::format(
          "GPU {} to GPU {}{}{}: peer access is reported, but {} of {} on path {} is not faster "
          "than on {} (ratio {:.3f})",
          from,
          to,
          host.empty() ? "" : " of ",
          host,
          operation,
          format_size(verdict->c.size_bytes),
          verdict->reference,
          verdict->path,
          verdict->ratio->median));
    }
  }
  return sentences;
}

}  // namespace viaduct
