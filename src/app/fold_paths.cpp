#include "app/fold_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace viaduct {

FoldedPaths fold_paths(const std::vector<PathSpec>& paths,
                       const std::vector<std::vector<std::size_t>>& firsts,
                       const std::string& why) {
  FoldedPaths folded;
  for (std::size_t path = 0; path < paths.size(); ++path) {
    const std::size_t first = firsts.empty() ? path : firsts.front().at(path);
    const bool all_agree =
        std::all_of(firsts.begin(), firsts.end(), [&](const std::vector<std::size_t>& rank) {
          return rank.at(path) == first;
        });
    if (first == path || !all_agree) {
      folded.run.push_back(paths[path]);
      continue;
    }
    folded.notes.push_back(fmt::format("path {} is not run: {} {}, whose numbers stand for both",
                                       paths[path].name,
                                       why,
                                       paths[first].name));
  }
  return folded;
}

std::string to_text(const std::vector<std::size_t>& places) {
  return fmt::format("{}", fmt::join(places, ","));
}

std::vector<std::size_t> places_from_text(const std::string& text) {
  std::vector<std::size_t> places;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) {
    places.push_back(std::stoul(word));
  }
  return places;
}

}  // namespace viaduct
