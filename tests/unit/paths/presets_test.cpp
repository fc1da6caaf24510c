#include "paths/presets.hpp"

#include "core/error.hpp"
#include "core/staged_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

namespace viaduct {
namespace {

using Variables = std::map<std::string, std::string>;

template <typename Call>
std::string usage_message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message().find('\n'), std::string::npos) << "more than one line";
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

std::string parse_message(const std::string& text) {
  return usage_message([&] { parse_paths(text, "mine.json"); });
}

std::string argument_message(const std::string& text, Engine engine = Engine::nccl) {
  return usage_message([&] { parse_path_argument(text, engine); });
}

TEST(PresetPaths, AreThoseOfTheTableInOrder) {
  std::vector<std::string> names;
  for (const PathSpec& path : preset_paths()) {
    names.push_back(path.name);
    EXPECT_TRUE(path.is_preset) << path.name;
    EXPECT_FALSE(path.summary.empty()) << path.name;
    EXPECT_EQ(path.clears_path_variables, path.name != "as-is") << path.name;
    EXPECT_TRUE(path.unset.empty()) << path.name;
  }
  const std::vector<std::string> expected{"as-is",       "default",     "direct",  "direct-strict",
                                          "host-staged", "gdr-off",     "nic-gdr", "nic-staged",
                                          "socket",      "staged",      "nvls",    "p2p-nvl",
                                          "p2p-pix",     "p2p-pxb",     "p2p-phb", "p2p-sys",
                                          "direct",      "host-staged", "pinned",  "single-copy",
                                          "double-copy", "tcp"};
  EXPECT_EQ(names, expected);
}

TEST(PresetPaths, SetExactlyTheVariablesOfTheTable) {
  EXPECT_TRUE(preset_path("as-is", Engine::nccl).set.empty());
  EXPECT_TRUE(preset_path("default", Engine::nccl).set.empty());
  const Variables direct{
      {"NCCL_P2P_LEVEL", "SYS"}, {"NCCL_NET_GDR_LEVEL", "SYS"}, {"NCCL_NVLS_ENABLE", "0"}};
  EXPECT_EQ(preset_path("direct", Engine::nccl).set, direct);
  Variables strict = direct;
  strict["NCCL_SHM_DISABLE"] = "1";
  strict["NCCL_NET_DISABLE_INTRA"] = "1";
  EXPECT_EQ(preset_path("direct-strict", Engine::nccl).set, strict);
  Variables gdr_off = direct;
  gdr_off["NCCL_NET_GDR_LEVEL"] = "LOC";
  gdr_off["NCCL_NET_GDR_READ"] = "0";
  EXPECT_EQ(preset_path("gdr-off", Engine::nccl).set, gdr_off);
  const Variables staged{{"NCCL_P2P_DISABLE", "1"},
                         {"NCCL_NVLS_ENABLE", "0"},
                         {"NCCL_NET_DISABLE_INTRA", "1"},
                         {"NCCL_MNNVL_ENABLE", "0"},
                         {"NCCL_WIN_ENABLE", "0"},
                         {"NCCL_NET_GDR_LEVEL", "LOC"},
                         {"NCCL_NET_GDR_READ", "0"}};
  EXPECT_EQ(preset_path("host-staged", Engine::nccl).set, staged);
  const Variables socket{{"NCCL_P2P_DISABLE", "1"},
                         {"NCCL_SHM_DISABLE", "1"},
                         {"NCCL_NVLS_ENABLE", "0"},
                         {"NCCL_NET", "Socket"}};
  EXPECT_EQ(preset_path("socket", Engine::nccl).set, socket);
  Variables nic = socket;
  nic.erase("NCCL_NET");
  nic["NCCL_NET_GDR_LEVEL"] = "SYS";
  EXPECT_EQ(preset_path("nic-gdr", Engine::nccl).set, nic);
  nic["NCCL_NET_GDR_LEVEL"] = "LOC";
  EXPECT_EQ(preset_path("nic-staged", Engine::nccl).set, nic);
  EXPECT_EQ(preset_path("nvls", Engine::nccl).set, (Variables{{"NCCL_NVLS_ENABLE", "1"}}));
}

TEST(PresetPaths, OfALevelSetTheLevelOfTheirName) {
  for (const std::string level : {"nvl", "pix", "pxb", "phb", "sys"}) {
    std::string upper = level;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
      return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    const PathSpec& path = preset_path("p2p-" + level, Engine::nccl);
    EXPECT_EQ(path.set, (Variables{{"NCCL_P2P_LEVEL", upper}}));
    EXPECT_TRUE(path.must.empty()) << "whether two levels differ is for the machine to say";
  }
}

TEST(PresetPaths, SayWhatTheirEvidenceMustShow) {
  const std::map<std::string, Variables> expected{
      {"direct", {{"same_host", "P2P"}, {"other_host", "NET/GDRDMA"}}},
      {"direct-strict", {{"same_host", "P2P"}, {"other_host", "NET/GDRDMA"}}},
      {"host-staged", {{"same_host", "SHM"}, {"other_host", "NET/no GDRDMA"}, {"nvlink", "none"}}},
      {"gdr-off", {{"same_host", "P2P"}, {"other_host", "NET/no GDRDMA"}}},
      {"nic-gdr", {{"same_host", "NET/GDRDMA"}, {"other_host", "NET/GDRDMA"}}},
      {"nic-staged", {{"same_host", "NET/no GDRDMA"}, {"other_host", "NET/no GDRDMA"}}},
      {"socket", {{"same_host", "NET/Socket"}, {"other_host", "NET/Socket"}}},
      {"staged", {{"nvlink", "none"}}},
      {"nvls", {{"same_host", "NVLS"}}},
  };
  for (const PathSpec& path : preset_paths()) {
    if (path.engine == Engine::copy) {
      continue;
    }
    const auto found = expected.find(path.name);
    EXPECT_EQ(path.must, found == expected.end() ? Variables{} : found->second) << path.name;
  }
}

TEST(PresetPaths, OfTheCopyEngineSayTheirRoute) {
  const auto route = [](const char* name) {
    return preset_path(name, Engine::copy).set.at("VIADUCT_COPY_ROUTE");
  };
  EXPECT_EQ(route("direct"), "peer");
  EXPECT_EQ(route("host-staged"), "driver");
  EXPECT_EQ(route("pinned"), "pinned");
  EXPECT_EQ(preset_path("direct", Engine::copy).must, (Variables{{"same_host", "P2P"}}));
  for (const char* name : {"host-staged", "pinned"}) {
    EXPECT_EQ(preset_path(name, Engine::copy).must, (Variables{{"nvlink", "none"}})) << name;
  }
}

TEST(PresetPaths, StagedIsTheOneWithoutNccl) {
  for (const PathSpec& path : preset_paths()) {
    EXPECT_EQ(is_staged(path), path.name == "staged") << path.name;
  }
  const PathSpec own = parse_path_argument("mine:VIADUCT_TRANSPORT=staged", Engine::nccl);
  EXPECT_TRUE(is_staged(own));
  EXPECT_FALSE(is_staged(parse_path_argument("mine:VIADUCT_TRANSPORT=nccl", Engine::nccl)));
  EXPECT_EQ(argument_message("mine:VIADUCT_TRANSPORT=Staged"),
            "--path mine:VIADUCT_TRANSPORT=Staged: VIADUCT_TRANSPORT=Staged is unknown; write nccl "
            "or staged");
}

TEST(PresetPaths, OfTheMpiEngineAllUseOb1) {
  for (const char* name : {"single-copy", "double-copy", "tcp"}) {
    EXPECT_EQ(preset_path(name, Engine::mpi).set.at("OMPI_MCA_pml"), "ob1") << name;
  }
  const Variables& single = preset_path("single-copy", Engine::mpi).set;
  const Variables& twice = preset_path("double-copy", Engine::mpi).set;
  EXPECT_EQ(single.at("OMPI_MCA_btl_vader_single_copy_mechanism"), "cma");
  EXPECT_EQ(single.at("OMPI_MCA_btl_sm_single_copy_mechanism"), "cma");
  EXPECT_EQ(twice.at("OMPI_MCA_btl_vader_single_copy_mechanism"), "none");
  EXPECT_EQ(twice.at("OMPI_MCA_btl_sm_single_copy_mechanism"), "none");
  EXPECT_EQ(preset_path("tcp", Engine::mpi).set.at("OMPI_MCA_btl"), "tcp,self");
}

TEST(PresetPath, ThatIsUnknownShowsTheNearest) {
  EXPECT_EQ(usage_message([] { preset_path("host-stagd", Engine::nccl); }),
            "unknown path of engine nccl 'host-stagd'; did you mean 'host-staged' or "
            "'nic-staged'?");
  const std::string other = usage_message([] { preset_path("tcp", Engine::nccl); });
  EXPECT_NE(other.find("unknown path of engine nccl 'tcp'"), std::string::npos);
}

TEST(ParsePaths, ReadsEveryKey) {
  const std::vector<PathSpec> paths = parse_paths(
      R"({"paths": [{"name": "ring", "engine": "nccl", "summary": "One ring.", "clear": false,
          "set": {"NCCL_ALGO": "Ring"}, "unset": ["NCCL_PROTO"], "must": {"same_host": "P2P"}}]})",
      "mine.json");
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0].name, "ring");
  EXPECT_EQ(paths[0].summary, "One ring.");
  EXPECT_FALSE(paths[0].clears_path_variables);
  EXPECT_FALSE(paths[0].is_preset);
  EXPECT_EQ(paths[0].set, (Variables{{"NCCL_ALGO", "Ring"}}));
  EXPECT_EQ(paths[0].unset, std::vector<std::string>{"NCCL_PROTO"});
  EXPECT_EQ(paths[0].must, (Variables{{"same_host", "P2P"}}));
}

TEST(ParsePaths, NamesFilePointerAndAllowedKeys) {
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "sets": {}}]})"),
            "mine.json: /paths/0/sets: unknown key 'sets' (did you mean 'set'?); allowed keys: "
            "name, engine, "
            "summary, clear, set, unset, must");
  EXPECT_EQ(parse_message(R"({"path": []})"),
            "mine.json: /path: unknown key 'path' (did you mean 'paths'?); allowed keys: paths");
  EXPECT_EQ(parse_message(R"({"paths": []})"), "mine.json: /paths: must not be an empty list");
  EXPECT_EQ(parse_message(R"({})"), "mine.json: key 'paths' is missing");
  EXPECT_EQ(parse_message(R"({"paths": [{}]})"), "mine.json: /paths/0: key 'name' is missing");
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "clear": 1}]})"),
            "mine.json: /paths/0/clear: must be true or false, but is 1");
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "engine": "ucx"}]})"),
            "mine.json: /paths/0/engine: must be one of nccl, mpi, copy, but is \"ucx\"");
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "set": {"X": 1}}]})"),
            "mine.json: /paths/0/set/X: must be a string, but is 1");
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a"}, {"name": "a"}]})"),
            "mine.json: /paths/1/name: path 'a' is defined twice");
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "must": {"same": "P2P"}}]})"),
            "mine.json: /paths/0/must/same: unknown key 'same' (did you mean 'same_host'?); "
            "allowed keys: "
            "same_host, other_host, nvlink");
}

TEST(ParsePaths, RefusesNamesThatAreNoFileNames) {
  for (const char* name : {"", "a b", "a,b", "../x", "-a", "a:b"}) {
    const std::string text = std::string(R"({"paths": [{"name": ")") + name + R"("}]})";
    EXPECT_NE(parse_message(text).find("is not a name of a path"), std::string::npos) << name;
  }
}

TEST(ParsePaths, ValidatesValues) {
  EXPECT_EQ(parse_message(R"({"paths": [{"name": "a", "set": {"NCCL_P2P_LEVEL": "nvl"}}]})"),
            "mine.json: /paths/0/set/NCCL_P2P_LEVEL: NCCL_P2P_LEVEL='nvl' would be ignored by NCCL "
            "without a "
            "word; write NVL in upper case");
}

TEST(ParsePathArgument, ReadsSetAndUnset) {
  const PathSpec path =
      parse_path_argument("ring:NCCL_ALGO=Ring,NCCL_PROTO=,LD_PRELOAD=/x/libnccl.so", Engine::nccl);
  EXPECT_EQ(path.name, "ring");
  EXPECT_EQ(path.set, (Variables{{"NCCL_ALGO", "Ring"}, {"LD_PRELOAD", "/x/libnccl.so"}}));
  EXPECT_EQ(path.unset, std::vector<std::string>{"NCCL_PROTO"});
  EXPECT_FALSE(path.is_preset);
  EXPECT_TRUE(path.clears_path_variables);
  EXPECT_TRUE(path.must.empty());
}

TEST(ParsePathArgument, KeepsCommasInsideAValue) {
  const PathSpec path =
      parse_path_argument("p:NCCL_ALGO=Ring,Tree,NCCL_PROTO=^LL,LL128", Engine::nccl);
  EXPECT_EQ(path.set, (Variables{{"NCCL_ALGO", "Ring,Tree"}, {"NCCL_PROTO", "^LL,LL128"}}));
}

TEST(ParsePathArgument, SaysTheRightForm) {
  EXPECT_EQ(argument_message("direct"),
            "--path direct: write NAME:VAR=VALUE,VAR=VALUE (a preset is asked for with --paths)");
  EXPECT_EQ(argument_message("a:NCCL_ALGO"),
            "--path a:NCCL_ALGO: 'NCCL_ALGO' is not VAR=VALUE (an empty value unsets)");
  EXPECT_EQ(argument_message("a:"), "--path a:: '' is not VAR=VALUE (an empty value unsets)");
  EXPECT_EQ(argument_message("a:=1"), "--path a:=1: '=1' is not VAR=VALUE (an empty value unsets)");
  EXPECT_EQ(argument_message("a:X=1,X=2"), "--path a:X=1,X=2: X is given twice");
  EXPECT_NE(argument_message(":X=1").find("is not a name of a path"), std::string::npos);
  EXPECT_NE(argument_message("a:1X=1").find("is not the name of a variable"), std::string::npos);
  EXPECT_NE(argument_message("a:nccl_p2p_disable=1").find("write NCCL_P2P_DISABLE in upper case"),
            std::string::npos);
}

TEST(ParsePathArgument, RefusesVariablesWithoutEffect) {
  EXPECT_NE(argument_message("a:NCCL_DEBUG=TRACE").find("is set by Viaduct itself"),
            std::string::npos);
  EXPECT_NE(argument_message("a:OMPI_MCA_btl=tcp").find("has no effect on a path of engine nccl"),
            std::string::npos);
  EXPECT_NE(argument_message("a:NCCL_ALGO=Ring", Engine::mpi)
                .find("has no effect on a path of engine mpi"),
            std::string::npos);
  EXPECT_EQ(parse_path_argument("a:OMPI_MCA_btl=tcp,self", Engine::mpi).set.at("OMPI_MCA_btl"),
            "tcp,self");
}

}  // namespace
}  // namespace viaduct
