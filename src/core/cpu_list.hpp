#pragma once
// Lists of CPUs as Linux writes them: "0-3,8". Numbers only; which CPUs exist is not known here.

#include "core/error.hpp"

#include <charconv>
#include <set>
#include <string>
#include <string_view>

namespace viaduct {

namespace cpu_list_detail {

[[noreturn]] inline void refuse(std::string_view list) {
  throw Error(ErrorKind::usage,
              "'" + std::string(list) + "' is not a list of CPUs; the right form is 0-3,8");
}

/// Takes a number off the front of `text`.
inline int take_number(std::string_view& text, std::string_view list) {
  constexpr int highest =
      1 << 20;  // far above any kernel's limit; keeps a typing error from filling the memory
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || value > highest) {
    refuse(list);
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace cpu_list_detail

/// "" gives an empty set. Throws Error(usage) with the right form.
inline std::set<int> parse_cpu_list(std::string_view list) {
  while (!list.empty() && (list.back() == '\n' || list.back() == ' ')) {
    list.remove_suffix(1);
  }
  std::set<int> cpus;
  std::string_view rest = list;
  while (!rest.empty()) {
    const int first = cpu_list_detail::take_number(rest, list);
    int last = first;
    if (!rest.empty() && rest.front() == '-') {
      rest.remove_prefix(1);
      last = cpu_list_detail::take_number(rest, list);
    }
    const bool ends_well = rest.empty() || (rest.front() == ',' && rest.size() > 1);
    if (last < first || !ends_well) {
      cpu_list_detail::refuse(list);
    }
    for (int cpu = first; cpu <= last; ++cpu) {
      cpus.insert(cpus.end(), cpu);
    }
    rest.remove_prefix(rest.empty() ? 0 : 1);
  }
  return cpus;
}

/// {0, 1, 2, 3, 8} -> "0-3,8".
inline std::string format_cpu_list(const std::set<int>& cpus) {
  std::string list;
  for (auto at = cpus.begin(); at != cpus.end();) {
    const int first = *at;
    int last = first;
    for (++at; at != cpus.end() && *at == last + 1; ++at) {
      last = *at;
    }
    list += list.empty() ? "" : ",";
    list += std::to_string(first);
    list += last == first ? "" : "-" + std::to_string(last);
  }
  return list;
}

}  // namespace viaduct
