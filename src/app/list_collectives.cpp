// viaduct list collectives: one line for each, or with --verbose all that a reader of its numbers
// needs.

#include "app/commands.hpp"
#include "collectives/collective.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

/// Of 2, 4 and 8 ranks, which people have most. Without a size there is nothing to divide.
std::string bus_factors(const Collective& collective) {
  std::string text;
  for (const int ranks : {2, 4, 8}) {
    text +=
        fmt::format("{}{:.3g}", text.empty() ? "" : ", ", collective.bus_factor(ranks, Traffic{}));
  }
  return text;
}

void print_line(const Collective& collective) {
  fmt::print("{:<20} {}{}{}{}\n",
             collective.name,
             collective.size_meaning,
             collective.reduces ? "; reduces" : "",
             collective.has_root ? "; has a root" : "",
             collective.has_size ? "; busbw/algbw for 2, 4, 8 ranks: " + bus_factors(collective)
                                 : "; " + std::string(collective.factors));
}

void print_row(const char* what, std::string_view text) {
  fmt::print("  {:<11} {}\n", what, text);
}

template <typename Values>
std::string names_of(const Values& values) {
  std::string text;
  for (const auto value : values) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name(value));
  }
  return text;
}

void print_values(const Collective& collective) {
  if (!collective.has_size) {
    return;
  }
  print_row("datatypes", names_of(all_datatypes()));
  if (collective.is_pairwise) {
    print_row("", "uint8 unless -d says otherwise, so that every size is one of bytes");
  }
  print_row("", "float8: NCCL from 2.24 on GPUs from compute capability 9.0");
  if (collective.reduces) {
    print_row("reductions", names_of(all_reduce_ops()));
    print_row(
        "",
        "mpi: sum, prod, min, max of integers, float32 and float64; what MPI cannot reduce is "
        "skipped");
  }
}

void print_page(const Collective& collective) {
  fmt::print("{}\n", collective.name);
  print_row("S", collective.size_meaning);
  print_row("bandwidth", collective.factors);
  if (collective.has_size) {
    print_row("", fmt::format("busbw / (S / t) for 2, 4, 8 ranks: {}", bus_factors(collective)));
  }
  print_values(collective);
  print_row("root", collective.has_root ? "-r RANK, a list, or all" : "none");
  print_row("in-place",
            collective.in_place_form.empty() ? "no such form" : collective.in_place_form);
  if (collective.has_traffic) {
    print_row("traffic", "--traffic uniform, skewed or a file of weights, ranks x ranks");
  }
  if (collective.default_window > 0) {
    print_row(
        "window",
        fmt::format("--window N messages in flight, {} unless given", collective.default_window));
  }
  print_row("calls", collective.verb);
  if (!collective.limits.empty()) {
    print_row("limits", collective.limits);
  }
  fmt::print("\n");
}

}  // namespace

void list_collectives(bool is_verbose) {
  for (const Collective* collective : collectives::all()) {
    if (is_verbose) {
      print_page(*collective);
    } else {
      print_line(*collective);
    }
  }
}

}  // namespace viaduct
