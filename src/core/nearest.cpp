#include "core/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace viaduct {
namespace {

struct Candidate {
  std::size_t distance = 0;
  std::string name;
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return lower;
}

std::size_t levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string joined(const std::vector<std::string>& words,
                   std::string_view between,
                   std::string_view before_last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      text += i + 1 == words.size() ? before_last : between;
    }
    text += words[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> nearest(std::string_view unknown, const std::vector<std::string>& known) {
  constexpr std::size_t most_shown = 3;
  const std::string wanted = lower_case(unknown);
  std::vector<Candidate> candidates;
  for (const std::string& name : known) {
    const std::string lower = lower_case(name);
    const std::size_t distance = levenshtein(wanted, lower);
    const bool inside =
        !wanted.empty() && !lower.empty() && (contains(lower, wanted) || contains(wanted, lower));
    if (inside || distance <= wanted.size() / 2) {
      candidates.push_back(Candidate{distance, name});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.distance < b.distance;
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most_shown, candidates.size()); ++i) {
    names.push_back(candidates[i].name);
  }
  return names;
}

std::string unknown_name_message(std::string_view what,
                                 std::string_view unknown,
                                 const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(unknown) + "'; ";
  std::vector<std::string> near = nearest(unknown, known);
  if (near.empty()) {
    return message + "known: " + joined(known, ", ", ", ");
  }
  for (std::string& name : near) {
    name = "'" + name + "'";
  }
  return message + "did you mean " + joined(near, ", ", " or ") + "?";
}

}  // namespace viaduct
