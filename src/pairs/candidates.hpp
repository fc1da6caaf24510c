#pragma once
// All hosts, rails, ranks or links of a group of cells, each with the values by which it is judged.
// Judges none.

#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/pair_cells.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace viaduct {

/// What is tried at one time.
struct Question {
  FindingKind kind = FindingKind::host;
  Flow flow = Flow::both;
};

/// In the order in which they are asked: the simplest explanation first.
inline constexpr std::array<Question, 11> questions = {{
    {FindingKind::host, Flow::both},
    {FindingKind::host, Flow::sending},
    {FindingKind::host, Flow::receiving},
    {FindingKind::rail, Flow::both},
    {FindingKind::rank, Flow::both},
    {FindingKind::rank, Flow::sending},
    {FindingKind::rank, Flow::receiving},
    {FindingKind::host_link, Flow::both},
    {FindingKind::host_link, Flow::sending},
    {FindingKind::link, Flow::both},
    {FindingKind::link, Flow::sending},
}};

/// Whether a group of cells can answer it at all: no rails inside hosts, no directions where a
/// sample stands for both, no ranks apart from hosts of one rank. Rounds with one pair a host are
/// too few; they add evidence on who is named by the others.
bool can_ask(const Question& question,
             const CellGroup& group,
             const HostLayout& layout,
             bool is_directed);

struct Candidate {
  std::int64_t key = 0;       ///< host, seat, rank, or first * (hosts or ranks) + second
  double reached = 0;         ///< slowness that three quarters of its values reach
  std::size_t draws = 0;      ///< independent values behind that
  std::size_t first_own = 0;  ///< its values among CandidateSet::own
  std::size_t owns = 0;
};

struct CandidateSet {
  std::vector<Candidate> candidates;
  std::vector<double> own;   ///< values of the candidates, one after the other
  std::vector<double> base;  ///< every value of the family once: candidates and peers draw from it
};

/// Cells that are explained are left out. A host between hosts has one value for each partner host
/// and class (what three quarters of the rails reach), because rails of one round are not
/// independent. A rank or rail has one for each pair. In both directions a pair has the value of
/// its faster direction. Hosts, rails and ranks of fewer than three values are left out.
CandidateSet candidates_of(const Question& question,
                           const CellGroup& group,
                           const HostLayout& layout,
                           bool is_directed);

/// A finding of this candidate without evidence.
Finding finding_of(const Question& question,
                   const CellGroup& group,
                   std::int64_t key,
                   const HostLayout& layout);

/// Whether the cell is slow if the finding is true.
bool is_explained_by(const Finding& finding, const PairCell& cell, const HostLayout& layout);

/// Whether the cell has anything to do with who is named, in any direction.
bool touches(const Finding& finding, const PairCell& cell, const HostLayout& layout);

}  // namespace viaduct
