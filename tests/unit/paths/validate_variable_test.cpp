#include "core/error.hpp"
#include "paths/presets.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

std::string complaint(const std::string& variable, const std::string& value) {
  try {
    validate_variable(variable, value, "path 'x'");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

struct Row {
  const char* variable;
  const char* value;
  bool is_accepted;
};

/// What NCCL makes of each value: a value that it takes for its default in silence must be refused.
constexpr Row truth_table[] = {
    {"NCCL_P2P_DISABLE", "1", true},     {"NCCL_P2P_DISABLE", "0", true},
    {"NCCL_P2P_DISABLE", "0x1", false},  {"NCCL_P2P_DISABLE", "01", false},
    {"NCCL_P2P_DISABLE", "1abc", false}, {"NCCL_P2P_DISABLE", "2", false},
    {"NCCL_P2P_DISABLE", "true", false}, {"NCCL_P2P_DISABLE", "yes", false},
    {"NCCL_P2P_DISABLE", "", false},     {"NCCL_P2P_DISABLE", " 1", false},
    {"NCCL_P2P_LEVEL", "LOC", true},     {"NCCL_P2P_LEVEL", "NVL", true},
    {"NCCL_P2P_LEVEL", "NVB", true},     {"NCCL_P2P_LEVEL", "C2C", true},
    {"NCCL_P2P_LEVEL", "PIX", true},     {"NCCL_P2P_LEVEL", "PXB", true},
    {"NCCL_P2P_LEVEL", "P2C", true},     {"NCCL_P2P_LEVEL", "PXN", true},
    {"NCCL_P2P_LEVEL", "PHB", true},     {"NCCL_P2P_LEVEL", "SYS", true},
    {"NCCL_P2P_LEVEL", "nvl", false},    {"NCCL_P2P_LEVEL", "NVLINK", false},
    {"NCCL_P2P_LEVEL", "0", true},       {"NCCL_P2P_LEVEL", "1", true},
    {"NCCL_P2P_LEVEL", "4", true},       {"NCCL_P2P_LEVEL", "5", true},
    {"NCCL_P2P_LEVEL", "99", true},      {"NCCL_P2P_LEVEL", "", false},
    {"NCCL_P2P_LEVEL", "-1", false},     {"NCCL_P2P_LEVEL", "SYS ", false},
    {"NCCL_NET_GDR_LEVEL", "LOC", true}, {"NCCL_NET_GDR_LEVEL", "loc", false},
    {"NCCL_SHM_DISABLE", "1", true},     {"NCCL_SHM_DISABLE", "true", false},
    {"NCCL_NVLS_ENABLE", "2", true},     {"NCCL_NVLS_ENABLE", "on", false},
    {"NCCL_ALGO", "Ring", true},         {"NCCL_ALGO", "ring,TREE", true},
    {"NCCL_ALGO", "^NVLS", true},        {"NCCL_ALGO", "", false},
    {"NCCL_ALGO", "Rings", false},       {"NCCL_ALGO", "Ring,", false},
    {"NCCL_ALGO", "^", false},           {"NCCL_ALGO", "allreduce:tree;broadcast:ring", true},
    {"NCCL_PROTO", "LL128", true},       {"NCCL_PROTO", "simple", true},
    {"NCCL_PROTO", "LL64", false},       {"NCCL_PROTO", "", false},
    {"NCCL_IB_HCA", "mlx5_0", true},     {"LD_PRELOAD", "", true},
    {"NCCL_P2P_LEVEL", "NODE", false},   {"NCCL_HOSTID", "left", true},
};

TEST(ValidateVariable, FollowsTheTruthTable) {
  for (const Row& row : truth_table) {
    EXPECT_EQ(complaint(row.variable, row.value).empty(), row.is_accepted)
        << row.variable << "='" << row.value << "'";
  }
}

/// Every variable of NCCL's that decides over the path as a number.
constexpr const char* switches[] = {
    "NCCL_P2P_DISABLE",    "NCCL_P2P_DIRECT_DISABLE",    "NCCL_P2P_READ_ENABLE",
    "NCCL_SHM_DISABLE",    "NCCL_P2P_USE_CUDA_MEMCPY",   "NCCL_IGNORE_DISABLED_P2P",
    "NCCL_CUMEM_ENABLE",   "NCCL_CUMEM_HOST_ENABLE",     "NCCL_NET_DISABLE_INTRA",
    "NCCL_NET_GDR_READ",   "NCCL_NET_GDR_C2C",           "NCCL_IB_DISABLE",
    "NCCL_NVLS_ENABLE",    "NCCL_PXN_DISABLE",           "NCCL_PXN_C2C",
    "NCCL_MNNVL_ENABLE",   "NCCL_RUNTIME_CONNECT",       "NCCL_WIN_ENABLE",
    "NCCL_LOCAL_REGISTER", "NCCL_GRAPH_REGISTER",        "NCCL_NVB_DISABLE",
    "NCCL_DMABUF_ENABLE",  "NCCL_MULTI_RANK_GPU_ENABLE", "NCCL_COLLNET_ENABLE",
};

TEST(ValidateVariable, EverySwitchTakesItsNumbersAndNoWords) {
  for (const char* variable : switches) {
    for (const char* right : {"0", "1"}) {
      EXPECT_EQ(complaint(variable, right), "") << variable;
    }
    for (const char* wrong : {"", "true", "True", "yes", "on", "off", "ENABLE", "-1", "1 ", "3"}) {
      const std::string text = complaint(variable, wrong);
      EXPECT_NE(text.find(variable), std::string::npos) << variable << "='" << wrong << "'";
      EXPECT_NE(text.find("write 0 or 1"), std::string::npos) << text;
    }
  }
}

TEST(ValidateVariable, ShowsTheRightSpelling) {
  EXPECT_EQ(
      complaint("NCCL_P2P_DISABLE", "true"),
      "path 'x': NCCL_P2P_DISABLE='true' would be ignored by NCCL without a word; write 0 or 1");
  EXPECT_EQ(complaint("NCCL_P2P_LEVEL", "NVLINK"),
            "path 'x': NCCL_P2P_LEVEL='NVLINK' would be ignored by NCCL without a word; did you "
            "mean NVL? "
            "levels: LOC, NVL, NVB, C2C, PIX, PXB, P2C, PXN, PHB, SYS");
  EXPECT_EQ(complaint("NCCL_P2P_LEVEL", "NODE"),
            "path 'x': NCCL_P2P_LEVEL='NODE' would be ignored by NCCL without a word; NODE is a "
            "word of nvidia-smi; NCCL's level for it is PHB");
  EXPECT_EQ(complaint("NCCL_PROTO", "LL64"),
            "path 'x': NCCL_PROTO='LL64' would be ignored by NCCL without a word; names: LL, "
            "LL128, Simple");
}

TEST(ValidateVariable, SaysWhatNcclTakesAHalfWrittenNumberFor) {
  for (const char* value : {"0x1", "01", "1abc"}) {
    EXPECT_EQ(complaint("NCCL_P2P_DISABLE", value),
              std::string("path 'x': NCCL_P2P_DISABLE='") + value +
                  "' is not written as a number, and NCCL would take it as 1; write 0 or 1");
  }
  EXPECT_NE(complaint("NCCL_P2P_DISABLE", "yes").find("would be ignored by NCCL"),
            std::string::npos);
}

TEST(ValidateVariable, EveryPresetPasses) {
  for (const PathSpec& path : preset_paths()) {
    for (const auto& [variable, value] : path.set) {
      EXPECT_EQ(complaint(variable, value), "") << path.name;
    }
  }
}

}  // namespace
}  // namespace viaduct
