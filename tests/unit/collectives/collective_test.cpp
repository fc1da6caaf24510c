#include "collectives/collective.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {

namespace {

TEST(Collectives, StandInTheOrderOfTheList) {
  const std::vector<std::string> names = collectives::names();
  auto from = names.begin();
  for (const char* name : {"all_reduce",
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
                           "barrier",
                           "pingpong",
                           "pair_unidirectional",
                           "pair_bidirectional",
                           "message_rate"}) {
    from = std::find(from, names.end(), name);
    ASSERT_NE(from, names.end()) << name;
  }
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
  EXPECT_EQ(&collectives::get("barrier"), collectives::find("barrier"));
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

TEST(Collectives, SayWhatTheirCasesDifferBy) {
  EXPECT_FALSE(collectives::get("barrier").has_size);
  EXPECT_TRUE(collectives::get("alltoallv").has_traffic);
  for (const char* name : {"broadcast", "reduce", "gather", "scatter"}) {
    EXPECT_TRUE(collectives::get(name).has_root) << name;
  }
  for (const char* name : {"all_reduce", "reduce_scatter", "reduce"}) {
    EXPECT_TRUE(collectives::get(name).reduces) << name;
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
