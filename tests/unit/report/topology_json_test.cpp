#include "report/topology_json.hpp"

#include "unit/core/thrown_error.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

FoldedTopology sample() {
  return test::sample_manifest().topologies.at(0);
}

FoldedTopology read(const nlohmann::json& json) {
  return folded_topology_from_json(JsonFields(json, "topology"));
}

TEST(TopologyJson, Survives) {
  EXPECT_EQ(read(folded_topology_json(sample())), sample());
}

TEST(TopologyJson, SaysNullForWhatIsNotKnown) {
  const nlohmann::json json = to_json(sample().topology);
  EXPECT_TRUE(json.at("gpus").at(1).at("nvlinks").is_null());
  EXPECT_TRUE(json.at("gpus").at(1).at("numa_node").is_null());
  EXPECT_TRUE(json.at("gpus").at(0).at("nvlinks").at(1).at("rate_gbs").is_null());
  EXPECT_EQ(json.at("distances").at(0), "X NV18 ?");
  EXPECT_EQ(json.at("p2p_read").at(1), "? X");
}

TEST(TopologyJson, AnEmptyListOfLinksIsNotAnUnknownOne) {
  FoldedTopology none = sample();
  none.topology.gpus[1].nvlinks_known = true;
  EXPECT_TRUE(read(folded_topology_json(none)).topology.gpus[1].nvlinks_known);
  EXPECT_FALSE(read(folded_topology_json(sample())).topology.gpus[1].nvlinks_known);
}

TEST(TopologyJson, AnEmptyListOfNicsIsNotAnUnknownOne) {
  FoldedTopology host = sample();
  host.topology.nics.clear();
  EXPECT_EQ(folded_topology_json(host).at("nics"), nlohmann::json::array());
  EXPECT_TRUE(read(folded_topology_json(host)).topology.nics_known);
  host.topology.nics_known = false;
  EXPECT_TRUE(folded_topology_json(host).at("nics").is_null());
  EXPECT_EQ(read(folded_topology_json(host)), host);
}

TEST(TopologyJson, ReadsFilesFromBeforeTheVendorOfTheCpu) {
  nlohmann::json json = folded_topology_json(sample());
  EXPECT_EQ(json.at("cpu_vendor"), "GenuineIntel");
  json.erase("cpu_vendor");
  EXPECT_EQ(read(json).topology.cpu_vendor, "");
  EXPECT_EQ(read(json).topology.nics, sample().topology.nics);
}

TEST(TopologyJson, NamesAWrongDistance) {
  nlohmann::json json = folded_topology_json(sample());
  json["distances"][0] = "X NVX ?";
  test::expect_error(ErrorKind::io, [&] { read(json); }, {"topology.distances", "'NVX'", "NV18"});
}

}  // namespace
}  // namespace viaduct
