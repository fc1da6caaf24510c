// What is asked of NCCL and what is not, by version. Needs the library, but no GPU.

#include "core/error.hpp"
#include "core/pattern.hpp"
#include "nccl/nccl_comm.hpp"
#include "nccl/nccl_id.hpp"
#include "nccl/nccl_library.hpp"
#include "nccl/nccl_types.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace viaduct {
namespace {

TEST(NcclVersion, ReadsBothCodes) {
  EXPECT_EQ(nccl_version_text(22803), "2.28.3");
  EXPECT_EQ(nccl_version_text(21805), "2.18.5");
  EXPECT_EQ(nccl_version_text(2708), "2.7.8");
}

TEST(NcclVersion, RefusesAnOldLibraryAndNamesBoth) {
  EXPECT_NO_THROW(require_nccl_version(21800));
  try {
    require_nccl_version(21714);
    FAIL() << "2.17.14 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::refused);
    EXPECT_NE(error.message().find("2.17.14"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("2.18.0"), std::string::npos) << error.message();
  }
}

TEST(NcclVersion, FindsTheCallsOfTheLibraryHere) {
  const NcclLibrary library = load_nccl_library();
  EXPECT_EQ(library.version, running_nccl_version());
  EXPECT_NE(library.comm_init_rank_config, nullptr);
  EXPECT_EQ(library.mem_alloc != nullptr, library.version >= NCCL_VERSION(2, 19, 0));
  EXPECT_EQ(library.mem_free != nullptr, library.version >= NCCL_VERSION(2, 19, 0));
}

TEST(NcclId, ComesBackFromItsText) {
  ncclUniqueId id{};
  for (std::size_t i = 0; i < sizeof(id.internal); ++i) {
    id.internal[i] = static_cast<char>(mix(1, 2, i));
  }
  const std::string text = id_text(id);
  EXPECT_EQ(text.size(), 2 * sizeof(id.internal));
  const ncclUniqueId back = parse_id(text);
  EXPECT_EQ(std::memcmp(id.internal, back.internal, sizeof(id.internal)), 0);
}

TEST(NcclId, RefusesOtherTexts) {
  const std::string right = id_text(ncclUniqueId{});
  EXPECT_THROW(parse_id(""), Error);
  EXPECT_THROW(parse_id(right.substr(1)), Error);
  EXPECT_THROW(parse_id(right + "00"), Error);
  for (const char* bad : {"0x", "g0", "0g", " 0", "-1", "+1"}) {
    std::string text = right;
    text.replace(100, 2, bad);
    EXPECT_THROW(parse_id(text), Error) << bad;
  }
}

TEST(NcclConfig, AsksForNothingByDefault) {
  const ncclConfig_t plain = NCCL_CONFIG_INITIALIZER;
  const ncclConfig_t config = make_config(NcclCommSettings{.max_p2p_peers = 2}, 22803);
  EXPECT_EQ(config.size, sizeof(ncclConfig_t));
  EXPECT_EQ(config.magic, plain.magic);
  EXPECT_EQ(config.blocking, NCCL_CONFIG_UNDEF_INT);
  EXPECT_EQ(config.minCTAs, NCCL_CONFIG_UNDEF_INT);
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
  EXPECT_EQ(config.nvlinkCentricSched, NCCL_CONFIG_UNDEF_INT);
#endif
}

TEST(NcclConfig, AsksAsNcclTestsDoesWhereTheLibraryCan) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
  const NcclCommSettings settings{.method = Method::nccl_tests};
  EXPECT_EQ(make_config(settings, 22800).nvlinkCentricSched, 1);
  EXPECT_EQ(make_config(settings, 22706).nvlinkCentricSched, NCCL_CONFIG_UNDEF_INT);
#else
  GTEST_SKIP() << "built with NCCL " << nccl_version_text(NCCL_VERSION_CODE)
               << ", whose communicators have no nvlinkCentricSched";
#endif
}

TEST(NcclConfig, LimitsPeersWhereTheLibraryCan) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 30, 0)
  EXPECT_EQ(make_config(NcclCommSettings{.max_p2p_peers = 2}, 23000).maxP2pPeers, 2);
  EXPECT_EQ(make_config(NcclCommSettings{.max_p2p_peers = 2}, 22900).maxP2pPeers,
            NCCL_CONFIG_UNDEF_INT);
  EXPECT_EQ(make_config(NcclCommSettings{}, 23000).maxP2pPeers, NCCL_CONFIG_UNDEF_INT);
#else
  GTEST_SKIP() << "built with NCCL " << nccl_version_text(NCCL_VERSION_CODE)
               << ", whose communicators have no maxP2pPeers";
#endif
}

TEST(NcclTypes, MapsEveryDatatypeToOneOfItsOwn) {
  std::set<int> seen;
  for (const Datatype type : all_datatypes()) {
    if (why_no_datatype(type, running_nccl_version(), 9).empty()) {
      EXPECT_TRUE(seen.insert(to_nccl(type)).second) << name(type);
    }
  }
  EXPECT_GE(seen.size(), 10U);
}

TEST(NcclTypes, SaysWhatFloat8Needs) {
  for (const Datatype type : {Datatype::float8e4m3, Datatype::float8e5m2}) {
    EXPECT_NE(why_no_datatype(type, 22304, 9).find("2.24.0"), std::string::npos);
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
    EXPECT_NE(why_no_datatype(type, 22803, 8).find("9.0"), std::string::npos);
    EXPECT_EQ(why_no_datatype(type, 22803, 9), "");
    EXPECT_EQ(why_no_datatype(type, 22803, 10), "");
#endif
  }
  EXPECT_EQ(why_no_datatype(Datatype::bfloat16, 21805, 7), "");
}

TEST(NcclTypes, SaysThatOneRankAloneCannotMultiplyFloat8) {
  EXPECT_NE(why_no_reduction(ReduceOp::premulsum, Datatype::float8e4m3, 1).find("single rank"),
            std::string::npos);
  EXPECT_NE(why_no_reduction(ReduceOp::premulsum, Datatype::float8e5m2, 1), "");
  EXPECT_EQ(why_no_reduction(ReduceOp::premulsum, Datatype::float8e4m3, 2), "");
  EXPECT_NE(why_no_reduction(ReduceOp::avg, Datatype::float8e4m3, 1), "");
  EXPECT_EQ(why_no_reduction(ReduceOp::avg, Datatype::float8e4m3, 2), "");
  EXPECT_EQ(why_no_reduction(ReduceOp::max, Datatype::float8e4m3, 1), "");
  EXPECT_EQ(why_no_reduction(ReduceOp::premulsum, Datatype::float16, 1), "");
}

TEST(NcclTypes, MapsReductions) {
  EXPECT_EQ(to_nccl(ReduceOp::sum), ncclSum);
  EXPECT_EQ(to_nccl(ReduceOp::prod), ncclProd);
  EXPECT_EQ(to_nccl(ReduceOp::min), ncclMin);
  EXPECT_EQ(to_nccl(ReduceOp::max), ncclMax);
  EXPECT_EQ(to_nccl(ReduceOp::avg), ncclAvg);
  // Its operators are made for a communicator and a datatype.
  EXPECT_THROW(to_nccl(ReduceOp::premulsum), Error);
}

}  // namespace
}  // namespace viaduct
