#include "paths/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace viaduct {
namespace {

/// A folder that is there for one test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }

  ~Folder() {
    std::error_code failure;
    std::filesystem::remove_all(path_, failure);
  }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path path_;
};

TEST(RecordedVariables, KeepsKnownPrefixesOnly) {
  const Environment all{{"NCCL_P2P_LEVEL", "SYS"},
                        {"CUDA_VISIBLE_DEVICES", "0"},
                        {"OMPI_MCA_btl", "tcp"},
                        {"UCX_TLS", "rc"},
                        {"SLURM_JOB_ID", "7"},
                        {"OMPI_COMM_WORLD_RANK", "0"},
                        {"HOME", "/root"},
                        {"XNCCL_A", "1"},
                        {"AWS_REGION", "x"}};
  const Environment expected{{"NCCL_P2P_LEVEL", "SYS"},
                             {"CUDA_VISIBLE_DEVICES", "0"},
                             {"OMPI_MCA_btl", "tcp"},
                             {"UCX_TLS", "rc"},
                             {"SLURM_JOB_ID", "7"}};
  EXPECT_EQ(recorded_variables(all), expected);
}

TEST(RecordedVariables, SkipsWhatLooksLikeASecret) {
  const Environment all{{"SLURM_JWT", "a"},
                        {"NCCL_API_TOKEN", "a"},
                        {"CUDA_license_key", "a"},
                        {"UCX_SECRET", "a"},
                        {"FI_PASSWORD", "a"},
                        {"NVIDIA_CREDENTIALS", "a"},
                        {"OMPI_MCA_orte_hnp_uri", "a"}};
  EXPECT_TRUE(recorded_variables(all).empty());
}

TEST(HiddenSettings, ReadsTheNamedFileWithoutSecrets) {
  const Folder folder;
  const std::string file = folder.file(
      "my.conf", "# comment\nNCCL_P2P_LEVEL=NVL\nNCCL_TOKEN=hush\nOTHER=hush\nno assignment\n");
  const auto files = hidden_settings({{"NCCL_CONF_FILE", file}});
  ASSERT_EQ(files.count(file), 1U);
  EXPECT_EQ(files.at(file),
            "NCCL_P2P_LEVEL=NVL\nNCCL_TOKEN=(not recorded)\nOTHER=(not recorded)\n");
}

TEST(HiddenSettings, LeavesOutAFileThatIsNotThere) {
  const std::string file = "/nowhere/nccl.conf";
  EXPECT_EQ(hidden_settings({{"NCCL_CONF_FILE", file}}).count(file), 0U);
}

}  // namespace
}  // namespace viaduct
