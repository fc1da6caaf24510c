#include "report/folded_list.hpp"

#include "core/error.hpp"
#include "report/record_json.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Json = nlohmann::json;

bool any(const Json&, const Json&) {
  return true;
}

Json entry(const std::string& host, const std::string& id) {
  return Json{{"host", host},
              {"kernel", "6.1.0-a-rather-long-release-name"},
              {"acs", nullptr},
              {"cpus", 96},
              {"variables", {{"NCCL_IB_HCA", "mlx5_0,mlx5_1,mlx5_2"}, {"SLURM_NODEID", id}}}};
}

TEST(FoldedList, KeepsOnlyWhatDiffers) {
  const Json list{entry("a", "0"), entry("b", "1"), entry("c", "2")};
  const Json short_list = folded(list, any);
  EXPECT_EQ(short_list[0], list[0]);
  EXPECT_EQ(short_list[1],
            (Json{{"like", 0}, {"host", "b"}, {"variables", {{"SLURM_NODEID", "1"}}}}));
  EXPECT_EQ(unfolded(short_list, "hosts"), list);
}

TEST(FoldedList, LosesNothing) {
  Json list{entry("a", "0"), entry("b", "1"), entry("c", "2"), entry("d", "3")};
  list[1]["acs"] = true;
  list[1]["variables"].erase("NCCL_IB_HCA");
  list[2]["variables"]["UCX_TLS"] = "tcp";
  list[2]["cpus"] = nullptr;
  list[3] = Json{{"another", "kind"}};
  EXPECT_EQ(unfolded(folded(list, any), "hosts"), list);
  list[0]["variables"]["NULL"] = nullptr;  // cannot be told from a missing name
  list[2]["acs"] = "x";
  EXPECT_EQ(unfolded(folded(list, any), "hosts"), list);
}

TEST(FoldedList, TakesTheEntryThatIsMostAlike) {
  Json list{entry("a", "0"), entry("b", "1"), entry("c", "2")};
  for (const std::size_t other : {1U, 2U}) {
    list[other]["kernel"] = "5.15.0-another-quite-long-release-name-of-another-kind";
    list[other]["variables"]["NCCL_IB_HCA"] = "mlx5_9,mlx5_8,mlx5_7,mlx5_6,mlx5_5,mlx5_4";
  }
  const Json short_list = folded(list, any);
  EXPECT_FALSE(short_list[1].contains("like")) << "too different to be worth it";
  EXPECT_EQ(short_list[2]["like"], 1);
  EXPECT_EQ(unfolded(short_list, "hosts"), list);
}

TEST(FoldedList, RefusesAnIndexThatIsNoEarlierEntry) {
  for (const Json& index : {Json(1), Json(-1), Json("0"), Json(nullptr), Json(0.5)}) {
    const Json list{entry("a", "0"), Json{{"like", index}}};
    EXPECT_THROW(unfolded(list, "hosts"), Error) << index;
  }
}

TEST(FoldedList, MakesAManifestOfManyHostsShort) {
  constexpr int hosts = 512;
  constexpr int per_host = 8;
  Manifest manifest = test::sample_result().manifest;
  const HostInfo host = manifest.hosts.at(0);
  const RankInfo rank = manifest.rank_info.at(0);
  manifest.hosts.clear();
  manifest.rank_info.clear();
  for (int number = 0; number < hosts * per_host; ++number) {
    RankInfo one = rank;
    one.rank = number;
    one.local_rank = number % per_host;
    one.host = "node" + std::to_string(number / per_host);
    manifest.rank_info.push_back(one);
    if (one.local_rank == 0) {
      manifest.hosts.push_back(host);
      manifest.hosts.back().host = one.host;
    }
  }
  const Json json = to_json(manifest);
  const double bytes = static_cast<double>(json.dump().size());
  EXPECT_LT(bytes / (hosts * per_host), 80) << "bytes for each rank";
  EXPECT_EQ(to_json(manifest_from_json(json)), json);
  EXPECT_EQ(manifest_from_json(json).rank_info.at(4095).worker_cpus, rank.worker_cpus);
  EXPECT_EQ(manifest_from_json(json).hosts.at(511).host, "node511");
}

}  // namespace
}  // namespace viaduct
