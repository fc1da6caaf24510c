#include "paths/environment.hpp"

#include "core/error.hpp"
#include "paths/presets.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace viaduct {
namespace {

const std::vector<std::string> cleared_variables{"NCCL_P2P_DISABLE",
                                                 "NCCL_P2P_LEVEL",
                                                 "NCCL_P2P_READ_ENABLE",
                                                 "NCCL_SHM_DISABLE",
                                                 "NCCL_NET_GDR_LEVEL",
                                                 "NCCL_NET_GDR_READ",
                                                 "NCCL_NET_DISABLE_INTRA",
                                                 "NCCL_IB_DISABLE",
                                                 "NCCL_MNNVL_ENABLE",
                                                 "NCCL_WIN_ENABLE",
                                                 "NCCL_ALGO",
                                                 "NCCL_PROTO",
                                                 "NCCL_NVLS_ENABLE"};

const Environment site_settings{{"NCCL_NET", "IB"},
                                {"NCCL_NET_PLUGIN", "ofi"},
                                {"NCCL_IB_HCA", "mlx5"},
                                {"NCCL_SOCKET_IFNAME", "eth0"},
                                {"NCCL_IB_GID_INDEX", "3"},
                                {"NCCL_IB_TIMEOUT", "22"},
                                {"PATH", "/usr/bin"}};

WorkerSettings settings() {
  WorkerSettings made;
  made.log_file = "/tmp/nccl.log";
  return made;
}

Environment hostile() {
  Environment environment = site_settings;
  for (const std::string& variable : cleared_variables) {
    environment[variable] = "2";
  }
  environment["OMPI_COMM_WORLD_RANK"] = "1";
  environment["OMPI_MCA_btl"] = "tcp,self";
  environment["PMIX_RANK"] = "1";
  environment["PMI_FD"] = "4";
  environment["PRTE_MCA_x"] = "1";
  return environment;
}

TEST(WorkerEnvironment, OfPresetsHoldsOnlyTheirPathVariables) {
  for (const PathSpec& path : preset_paths()) {
    if (path.engine != Engine::nccl || path.name == "as-is") {
      continue;
    }
    const Environment made = worker_environment(hostile(), path, settings());
    for (const std::string& variable : cleared_variables) {
      const auto wanted = path.set.find(variable);
      const auto found = made.find(variable);
      ASSERT_EQ(found != made.end(), wanted != path.set.end()) << path.name << " " << variable;
      if (wanted != path.set.end()) {
        EXPECT_EQ(found->second, wanted->second) << path.name << " " << variable;
      }
    }
    for (const auto& [variable, value] : site_settings) {
      const bool is_set_by_path = path.set.count(variable) != 0;
      EXPECT_EQ(made.at(variable), is_set_by_path ? path.set.at(variable) : value) << path.name;
    }
  }
}

TEST(WorkerEnvironment, OfAsIsKeepsEverythingButMpi) {
  const Environment made =
      worker_environment(hostile(), preset_path("as-is", Engine::nccl), settings());
  for (const std::string& variable : cleared_variables) {
    EXPECT_EQ(made.at(variable), "2") << variable;
  }
  for (const char* variable :
       {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_btl", "PMIX_RANK", "PMI_FD", "PRTE_MCA_x"}) {
    EXPECT_EQ(made.count(variable), 0U) << variable;
  }
}

TEST(WorkerEnvironment, ChangesNoOtherVariable) {
  const Environment before = hostile();
  const Environment made =
      worker_environment(before, preset_path("as-is", Engine::nccl), settings());
  Environment expected = before;
  for (const char* variable :
       {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_btl", "PMIX_RANK", "PMI_FD", "PRTE_MCA_x"}) {
    expected.erase(variable);
  }
  expected["NCCL_DEBUG"] = "INFO";
  expected["NCCL_DEBUG_SUBSYS"] = "INIT,BOOTSTRAP,ENV,NET,GRAPH";
  expected["NCCL_DEBUG_FILE"] = "/tmp/nccl.log";
  expected["NCCL_GRAPH_REGISTER"] = "0";
  expected["NCCL_LOCAL_REGISTER"] = "0";
  expected["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  EXPECT_EQ(made, expected);
}

TEST(WorkerEnvironment, NeverLiftsAnInheritedNvlsZero) {
  for (const char* zero : {"0", "00", "0x0", "off"}) {
    Environment inherited{{"NCCL_NVLS_ENABLE", zero}};
    for (const PathSpec& path : preset_paths()) {
      if (path.engine == Engine::nccl && path.name != "nvls") {
        const Environment made = worker_environment(inherited, path, settings());
        const std::string expected = path.set.count("NCCL_NVLS_ENABLE") != 0 ? "0" : zero;
        EXPECT_EQ(made.at("NCCL_NVLS_ENABLE"), expected) << path.name;
      }
    }
  }
}

TEST(WorkerEnvironment, RefusesAPathThatWantsNvlsWhereItIsForbidden) {
  const Environment inherited{{"NCCL_NVLS_ENABLE", "0"}};
  for (const char* text : {"", "nvls:NCCL_NVLS_ENABLE=1", "nvls:NCCL_NVLS_ENABLE="}) {
    const PathSpec path = std::string(text).empty() ? preset_path("nvls", Engine::nccl)
                                                    : parse_path_argument(text, Engine::nccl);
    try {
      worker_environment(inherited, path, settings());
      ADD_FAILURE() << "nothing was thrown for " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::refused);
      EXPECT_NE(error.message().find("path 'nvls'"), std::string::npos);
      EXPECT_NE(error.message().find("NCCL_NVLS_ENABLE=0"), std::string::npos);
    }
    EXPECT_NO_THROW(worker_environment(Environment{{"NCCL_NVLS_ENABLE", "2"}}, path, settings()));
    EXPECT_NO_THROW(worker_environment(Environment{}, path, settings()));
  }
}

TEST(WorkerEnvironment, SetsAndUnsetsWhatAPathSays) {
  const PathSpec path =
      parse_path_argument("p:NCCL_IB_HCA=,NCCL_ALGO=Ring,NCCL_GRAPH_REGISTER=1", Engine::nccl);
  const Environment made = worker_environment(hostile(), path, settings());
  EXPECT_EQ(made.count("NCCL_IB_HCA"), 0U);
  EXPECT_EQ(made.at("NCCL_ALGO"), "Ring");
  EXPECT_EQ(made.at("NCCL_GRAPH_REGISTER"), "1");
  EXPECT_EQ(made.at("NCCL_LOCAL_REGISTER"), "0");
}

TEST(SameEnvironment, NamesTheFirstPathThatIsAlike) {
  std::vector<PathSpec> paths;
  for (const char* name : {"as-is", "default", "direct", "p2p-sys", "nvls"}) {
    paths.push_back(preset_path(name, Engine::nccl));
  }
  paths.push_back(parse_path_argument("mine:NCCL_P2P_LEVEL=SYS", Engine::nccl));
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(first_with_same_environment(Environment{}, paths, settings()),
            (Places{0, 0, 2, 3, 4, 3}));
  // With a path variable inherited, as-is and default are two paths.
  EXPECT_EQ(first_with_same_environment({{"NCCL_ALGO", "Ring"}}, paths, settings()),
            (Places{0, 1, 2, 3, 4, 3}));
}

TEST(SameEnvironment, WhatIsForbiddenIsLikeNoOther) {
  std::vector<PathSpec> paths(2, preset_path("nvls", Engine::nccl));
  paths.push_back(preset_path("default", Engine::nccl));
  EXPECT_EQ(first_with_same_environment({{"NCCL_NVLS_ENABLE", "0"}}, paths, settings()),
            (std::vector<std::size_t>{0, 1, 2}));
}

TEST(SameEnvironment, RegistrationOfBuffersCounts) {
  std::vector<PathSpec> paths{preset_path("default", Engine::nccl)};
  paths.push_back(parse_path_argument("mine:NCCL_GRAPH_REGISTER=0", Engine::nccl));
  WorkerSettings made = settings();
  EXPECT_EQ(first_with_same_environment({}, paths, made), (std::vector<std::size_t>{0, 0}));
  made.keeps_registration = true;
  EXPECT_EQ(first_with_same_environment({}, paths, made), (std::vector<std::size_t>{0, 1}));
}

TEST(WorkerEnvironment, GivesTheGpusBack) {
  const PathSpec& path = preset_path("default", Engine::nccl);
  const Environment hidden{{"CUDA_VISIBLE_DEVICES", ""}, {"CUDA_DEVICE_ORDER", "FASTEST_FIRST"}};
  WorkerSettings given = settings();
  EXPECT_EQ(worker_environment(hidden, path, given).count("CUDA_VISIBLE_DEVICES"), 0U);
  given.had_cuda_visible_devices = true;
  given.cuda_visible_devices = "2,3";
  given.ras_address = "localhost:28123";
  given.keeps_registration = true;
  const Environment made = worker_environment(hidden, path, given);
  EXPECT_EQ(made.at("CUDA_VISIBLE_DEVICES"), "2,3");
  EXPECT_EQ(made.at("CUDA_DEVICE_ORDER"), "FASTEST_FIRST");
  EXPECT_EQ(made.at("NCCL_RAS_ADDR"), "localhost:28123");
  EXPECT_EQ(made.count("NCCL_GRAPH_REGISTER"), 0U);
}

TEST(LaunchEnvironment, SetsThePathAndUnsetsTheRest) {
  const Environment inherited{{"OMPI_MCA_btl", "vader,self"},
                              {"OMPI_MCA_pml", "ucx"},
                              {"OMPI_MCA_btl_vader_single_copy_mechanism", "knem"},
                              {"OMPI_MCA_btl_tcp_if_include", "eth0"},
                              {"NCCL_P2P_DISABLE", "1"}};
  const PathSpec& tcp = preset_path("tcp", Engine::mpi);
  EXPECT_EQ(launch_environment(inherited, tcp),
            (Environment{{"OMPI_MCA_pml", "ob1"},
                         {"OMPI_MCA_btl_tcp_disable_family", "6"},
                         {"OMPI_MCA_btl", "tcp,self"}}));
  EXPECT_EQ(launch_unset(inherited, tcp),
            std::vector<std::string>{"OMPI_MCA_btl_vader_single_copy_mechanism"});
}

TEST(IgnoredVariables, AreNamedWithTheRightSpelling) {
  const std::vector<std::string> lines =
      ignored_variables({{"NCCL_P2P_LEVEL", "nvl"}, {"NCCL_SHM_DISABLE", "1"}, {"HOME", "/root"}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "environment: NCCL_P2P_LEVEL='nvl' would be ignored by NCCL without a word; write NVL "
            "in upper case");
}

TEST(IgnoredVariables, AreLookedForBeyondThosePresetsUnset) {
  const std::vector<std::string> lines =
      ignored_variables({{"NCCL_CUMEM_ENABLE", "yes"}, {"NCCL_IB_HCA", "mlx5"}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("NCCL_CUMEM_ENABLE='yes'"), std::string::npos) << lines[0];
}

TEST(CurrentEnvironment, SeesAVariable) {
  ASSERT_EQ(setenv("VIADUCT_TEST_VARIABLE", "a=b", 1), 0);
  EXPECT_EQ(current_environment().at("VIADUCT_TEST_VARIABLE"), "a=b");
  ASSERT_EQ(unsetenv("VIADUCT_TEST_VARIABLE"), 0);
  EXPECT_EQ(current_environment().count("VIADUCT_TEST_VARIABLE"), 0U);
}

}  // namespace
}  // namespace viaduct
