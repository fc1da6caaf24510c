#include "collectives/collective.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

TEST(Collectives, StandInTheOrderOfTheList) {
  std::vector<std::string> names;
  for (const Collective* entry : collectives::all()) {
    names.emplace_back(entry->name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"all_reduce",
                                      "all_gather",
                                      "reduce_scatter",
                                      "alltoall",
                                      "alltoallv",
                                      "broadcast",
                                      "reduce",
                                      "gather",
                                      "scatter",
                                      "sendrecv",
                                      "hypercube",
                                      "barrier"}));
}

TEST(Collectives, AreComplete) {
  for (const Collective* entry : collectives::all()) {
    SCOPED_TRACE(entry->name);
    EXPECT_FALSE(entry->size_meaning.empty());
    EXPECT_FALSE(entry->factors.empty());
    EXPECT_FALSE(entry->verb.empty());
    EXPECT_EQ(entry->in_place_form.empty(), !entry->has_in_place);
    EXPECT_NE(entry->layout, nullptr);
    EXPECT_NE(entry->bus_factor, nullptr);
    EXPECT_NE(entry->expected, nullptr);
    EXPECT_NE(entry->enqueue, nullptr);
    EXPECT_EQ(entry->in_place != nullptr, entry->has_in_place);
  }
}

TEST(Collectives, AreFoundByName) {
  EXPECT_EQ(collectives::find("all_gather"), collectives::all().at(1));
  EXPECT_EQ(&collectives::get("barrier"), collectives::all().back());
  EXPECT_EQ(collectives::find("allgather"), nullptr);
  EXPECT_EQ(collectives::find(""), nullptr);
}

TEST(Collectives, SayWhichRanksTheyCannotRunOn) {
  const Collective& hypercube = collectives::get("hypercube");
  for (const int ranks : {1, 2, 4, 8, 1024}) {
    EXPECT_EQ(hypercube.why_not(ranks, Traffic{}), "") << ranks;
  }
  for (const int ranks : {3, 6, 12, 1023}) {
    const std::string reason = hypercube.why_not(ranks, Traffic{});
    EXPECT_NE(reason.find("power of two"), std::string::npos) << reason;
    EXPECT_NE(reason.find(std::to_string(ranks)), std::string::npos) << reason;
  }
}

TEST(Collectives, OnlyABarrierHasNoSizeAndOnlyAlltoallvHasTraffic) {
  for (const Collective* entry : collectives::all()) {
    EXPECT_EQ(entry->has_size, entry->name != "barrier");
    EXPECT_EQ(entry->has_traffic, entry->name == "alltoallv");
  }
}

TEST(Collectives, NameTheNearestOfAnUnknownName) {
  try {
    collectives::get("allreduce");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("'allreduce'"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("'all_reduce'"), std::string::npos) << error.message();
  }
}

}  // namespace

}  // namespace viaduct
