#include "pairs/finding.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

std::string rank_text(int rank, int host, const HostLayout& layout) {
  return fmt::format("{} ({})", rank, layout.name(host));
}

std::string two_ends(const Finding& finding, const std::string& from, const std::string& to) {
  return finding.flow == Flow::both ? fmt::format("link {} - {}", from, to)
                                    : fmt::format("direction {} -> {}", from, to);
}

}  // namespace

const char* finding_name(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::host:
      return "slow host";
    case FindingKind::rail:
      return "slow rail";
    case FindingKind::rank:
      return "slow rank";
    case FindingKind::host_link:
    case FindingKind::link:
      return finding.flow == Flow::both ? "slow link" : "slow direction";
  }
  return "";
}

std::string subject_text(const Finding& finding, const HostLayout& layout) {
  switch (finding.kind) {
    case FindingKind::host:
      return "host " + layout.name(finding.host);
    case FindingKind::rail:
      return fmt::format("rail {}", finding.rail);
    case FindingKind::rank:
      return "rank " + rank_text(finding.rank, finding.host, layout);
    case FindingKind::host_link:
      return two_ends(finding, layout.name(finding.host), layout.name(finding.to_host));
    case FindingKind::link:
      return two_ends(finding,
                      rank_text(finding.rank, finding.host, layout),
                      rank_text(finding.to_rank, finding.to_host, layout));
  }
  return "";
}

}  // namespace viaduct
