#include "report/limit_lines.hpp"

#include "report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace viaduct {

namespace {

/// One limit and the operations on paths that it holds for.
struct NamedLimit {
  double gbs = 0;
  std::string formula;
  std::vector<std::string> users;
};

std::string user_of(const Measurement& m) {
  const bool has_choice = m.algorithm && !m.algorithm->algorithm.empty();
  return fmt::format("{}{}{} on {}",
                     m.c.operation,
                     has_choice ? " " : "",
                     has_choice ? m.algorithm->algorithm : "",
                     m.path);
}

std::vector<NamedLimit> limits_of(const Result& result) {
  std::vector<NamedLimit> limits;
  for (const Measurement& m : result.measurements) {
    if (!m.limit_gbs) {
      continue;
    }
    auto same = std::find_if(limits.begin(), limits.end(), [&m](const NamedLimit& known) {
      return known.gbs == *m.limit_gbs && known.formula == m.limit_formula;
    });
    if (same == limits.end()) {
      limits.push_back({*m.limit_gbs, m.limit_formula, {}});
      same = limits.end() - 1;
    }
    std::string user = user_of(m);
    if (std::find(same->users.begin(), same->users.end(), user) == same->users.end()) {
      same->users.push_back(std::move(user));
    }
  }
  return limits;
}

std::string users_text(const std::vector<std::string>& users) {
  constexpr std::size_t most_users = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(users.size(), most_users); ++i) {
    text += (i == 0 ? "" : ", ") + users[i];
  }
  return users.size() > most_users ? fmt::format("{} and {} more", text, users.size() - most_users)
                                   : text;
}

}  // namespace

std::string limit_lines(const Result& result) {
  constexpr std::size_t most_lines = 10;
  const std::vector<NamedLimit> limits = limits_of(result);
  std::string text;
  for (std::size_t i = 0; i < std::min(limits.size(), most_lines); ++i) {
    text += fmt::format("limit: {} GB/s = {} ({})\n",
                        four_digits(limits[i].gbs),
                        limits[i].formula,
                        users_text(limits[i].users));
  }
  return limits.size() > most_lines
             ? text + fmt::format("limit: {} more\n", limits.size() - most_lines)
             : text;
}

}  // namespace viaduct
