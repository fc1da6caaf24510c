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
  EXPECT_EQ(names, (std::vector<std::string>{"all_reduce", "all_gather", "sendrecv"}));
}

TEST(Collectives, AreComplete) {
  for (const Collective* entry : collectives::all()) {
    SCOPED_TRACE(entry->name);
    EXPECT_FALSE(entry->size_meaning.empty());
    EXPECT_FALSE(entry->verb.empty());
    EXPECT_NE(entry->layout, nullptr);
    EXPECT_NE(entry->bus_factor, nullptr);
    EXPECT_NE(entry->expected, nullptr);
    EXPECT_NE(entry->enqueue, nullptr);
    EXPECT_EQ(entry->in_place != nullptr, entry->has_in_place);
  }
}

TEST(Collectives, AreFoundByName) {
  EXPECT_EQ(collectives::find("all_gather"), collectives::all().at(1));
  EXPECT_EQ(&collectives::get("sendrecv"), collectives::all().at(2));
  EXPECT_EQ(collectives::find("allgather"), nullptr);
  EXPECT_EQ(collectives::find(""), nullptr);
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
