#include "app/path_watch.hpp"

#include "support/threaded_control.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace viaduct {
namespace {

using testing::run_ranks;
using testing::ThreadedControl;
using testing::ThreadedWorld;

const GroupMap halves("2", {{"2", 0, "ranks 0-1", {0, 1}}, {"2", 1, "ranks 2-3", {2, 3}}});
const GroupMap rails("rail", {{"rail", 0, "rail 0", {0, 2}}, {"rail", 1, "rail 1", {1, 3}}});

PathSpec direct() {
  PathSpec path;
  path.name = "direct";
  path.must = {{"same_host", "P2P"}};
  return path;
}

class PathWatchTest : public ::testing::Test {
 protected:
  PathWatchTest() {
    std::string name = (std::filesystem::temp_directory_path() / "viaduct-watch-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }

  ~PathWatchTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  PathWatchTest(const PathWatchTest&) = delete;
  PathWatchTest& operator=(const PathWatchTest&) = delete;

  [[nodiscard]] std::string log_of(int rank) const { return fmt::format("{}/{}", folder_, rank); }

  /// A channel line of the worker of `rank` to the other rank of its communicator of two.
  void connect(int rank, int rank_in_group, const std::string& via) const {
    std::ofstream(log_of(rank), std::ios::app)
        << fmt::format("a:{0}:1 [{0}] NCCL INFO Channel 00/0 : {1}[{1}] -> {2}[{2}] via {3}\n",
                       rank,
                       rank_in_group,
                       1 - rank_in_group,
                       via);
  }

  void choose(int rank, const std::string& words) const {
    std::ofstream(log_of(rank) + "p", std::ios::app)
        << fmt::format("a:{0}:1 [{0}] NCCL INFO {1}\n", rank, words);
  }

  /// `body` gets the rank and its watch.
  void run(const std::function<void(int, PathWatch&)>& body) const {
    ThreadedWorld world(4);
    const auto thrown = run_ranks(world, [&](ThreadedControl& control) {
      PathWatch watch(control, {direct()}, {"a", "a", "a", "a"}, halves);
      watch.add_log("direct", log_of(control.rank()));
      watch.add_probe_log("direct", log_of(control.rank()) + "p");
      body(control.rank(), watch);
    });
    for (const auto& one : thrown) {
      try {
        if (one) {
          std::rethrow_exception(one);
        }
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
  }

 private:
  std::string folder_;
};

TEST_F(PathWatchTest, EachGroupIsJudgedByItsOwnLines) {
  run([this](int rank, PathWatch& watch) {
    connect(rank, rank % 2, rank < 2 ? "P2P/CUMEM" : "SHM/direct/direct");
    watch.end_case();
    if (rank != 0) {
      return;
    }
    const PathSpec path = direct();
    const Case c;
    EXPECT_EQ(watch.evidence({.path = path, .c = c, .group = 0, .sent = {}})->state,
              EvidenceState::proven);
    EXPECT_EQ(watch.evidence({.path = path, .c = c, .group = 1, .sent = {}})->state,
              EvidenceState::contradicted);
    EXPECT_EQ(watch.path_evidence(path, 1)->pairs.at(0).from, 2);
    EXPECT_EQ(watch.whole_evidence(path)->pairs.size(), 4U);
  });
}

TEST_F(PathWatchTest, LinesAfterARegroupBelongToTheNewGroups) {
  run([this](int rank, PathWatch& watch) {
    connect(rank, rank % 2, "SHM/direct/direct");
    // Nobody took the lines before: they still belong to the halves.
    watch.regroup(rails);
    connect(rank, rank / 2, "P2P/CUMEM");
    watch.end_case();
    if (rank != 0) {
      return;
    }
    const PathSpec path = direct();
    const Case c;
    for (const std::size_t group : {std::size_t{0}, std::size_t{1}}) {
      EXPECT_EQ(watch.evidence({.path = path, .c = c, .group = group, .sent = {}})->state,
                EvidenceState::proven);
    }
    EXPECT_EQ(watch.path_evidence(path, 1)->pairs.at(0).to, 3);
    const auto whole = watch.whole_evidence(path);
    EXPECT_EQ(whole->state, EvidenceState::contradicted);
    EXPECT_EQ(whole->pairs.size(), 8U);
  });
}

TEST_F(PathWatchTest, EachGroupHasItsOwnAlgorithm) {
  run([this](int rank, PathWatch& watch) {
    Case c;
    c.operation = "all_reduce";
    if (rank % 2 == 0) {
      choose(rank,
             fmt::format("AllReduce: 64 Bytes -> Algo {} proto LL channel{{Lo..Hi}}={{0..0}}",
                         rank == 0 ? "RING" : "TREE"));
    }
    watch.note_choices(c);
    if (rank == 0) {
      EXPECT_EQ(watch.algorithm(direct(), c, 0)->algorithm, "RING");
      EXPECT_EQ(watch.algorithm(direct(), c, 1)->algorithm, "TREE");
    }
  });
}

}  // namespace
}  // namespace viaduct
