#include "app/fold_paths.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

std::vector<PathSpec> named(const std::vector<std::string>& names) {
  std::vector<PathSpec> paths;
  for (const std::string& name : names) {
    paths.emplace_back().name = name;
  }
  return paths;
}

TEST(FoldPaths, RunsPathsOfOneEnvironmentOnce) {
  const FoldedPaths folded =
      fold_paths(named({"as-is", "default", "direct"}), {{0, 0, 2}, {0, 0, 2}});
  ASSERT_EQ(folded.run.size(), 2U);
  EXPECT_EQ(folded.run[0].name, "as-is");
  EXPECT_EQ(folded.run[1].name, "direct");
  EXPECT_EQ(folded.notes,
            std::vector<std::string>{"path default is not run: same environment as as-is, whose "
                                     "numbers stand for both"});
}

TEST(FoldPaths, KeepsWhatDiffersOnOneRank) {
  const FoldedPaths folded = fold_paths(named({"as-is", "default"}), {{0, 0}, {0, 1}});
  EXPECT_EQ(folded.run.size(), 2U);
  EXPECT_TRUE(folded.notes.empty());
  EXPECT_EQ(fold_paths(named({"as-is", "default"}), {{0, 1}, {0, 0}}).run.size(), 2U);
}

TEST(FoldPaths, PlacesSurviveTheirText) {
  const std::vector<std::size_t> places{0, 0, 12};
  EXPECT_EQ(to_text(places), "0,0,12");
  EXPECT_EQ(places_from_text(to_text(places)), places);
  EXPECT_TRUE(places_from_text("").empty());
}

}  // namespace
}  // namespace viaduct
