#include "paths/several_runs.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

LogEdge edge(int from, const std::string& device, std::int64_t pid, const std::string& host = "a") {
  LogEdge edge;
  edge.from = from;
  edge.to = 1 - from;
  edge.from_device = device;
  edge.to_device = "9";
  edge.writer.host = host;
  edge.writer.pid = pid;
  return edge;
}

TEST(SeveralRuns, AreSuspectedWhereTwoProcessesAreOneRankOnOneGpu) {
  NcclLog log;
  log.edges = {edge(0, "1", 70), edge(0, "1", 70), edge(1, "2", 71), edge(0, "1", 90)};
  EXPECT_EQ(
      ranks_of_processes(log),
      (std::vector<RankOfProcesses>{{.rank = 0, .device = "1", .host = "a", .pids = {70, 90}}}));
}

TEST(SeveralRuns, AreNotSuspectedOnOtherGpusOrHosts) {
  NcclLog log;
  log.edges = {edge(0, "1", 70), edge(0, "2", 80), edge(0, "1", 90, "b")};
  EXPECT_TRUE(ranks_of_processes(log).empty());
}

TEST(SeveralRuns, TakeTheRankThatWroteTheLine) {
  NcclLog log;
  LogEdge received = edge(0, "1", 80);
  received.end = LineEnd::receive;
  log.edges = {edge(0, "1", 70), received};
  EXPECT_TRUE(ranks_of_processes(log).empty());
}

}  // namespace
}  // namespace viaduct
