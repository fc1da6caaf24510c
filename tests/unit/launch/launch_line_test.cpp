#include "launch/launch_line.hpp"

#include "core/error.hpp"
#include "launch/child_environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace viaduct {

namespace {

using Words = std::vector<std::string>;

const LaunchFacts user_facts{false, 8, false, true, true};

LaunchRequest request_of(int ranks, Engine engine) {
  LaunchRequest request;
  request.ranks = ranks;
  request.launcher = "mpirun";
  request.program = "/opt/viaduct";
  request.run_words = {"quick", "--quiet"};
  request.engine = engine;
  return request;
}

bool has_word(const LaunchLine& line, const std::string& word) {
  return std::find(line.words.begin(), line.words.end(), word) != line.words.end();
}

std::string message_of(const LaunchRequest& request, const LaunchFacts& facts) {
  try {
    make_launch_line(request, facts);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "no error";
}

/// A hosts file that is there while the test runs.
class HostsFile {
 public:
  explicit HostsFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "viaduct-hosts-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    EXPECT_GE(descriptor, 0);
    ::close(descriptor);
    std::ofstream(name) << text;
    name_ = name;
  }

  ~HostsFile() { std::filesystem::remove(name_); }

  HostsFile(const HostsFile&) = delete;
  HostsFile& operator=(const HostsFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace

TEST(Mpirun, LeavesBindingOfWorkersToThem) {
  const LaunchLine line = make_launch_line(request_of(4, Engine::nccl), user_facts);
  EXPECT_EQ(
      line.words,
      (Words{"mpirun", "-n", "4", "--bind-to", "none", "/opt/viaduct", "run", "quick", "--quiet"}));
  EXPECT_TRUE(line.notes.empty());
}

TEST(Mpirun, BindsMeasuringRanksToCoresWhereThereAreEnough) {
  const LaunchLine line = make_launch_line(request_of(8, Engine::mpi), user_facts);
  EXPECT_EQ(
      line.words,
      (Words{"mpirun", "-n", "8", "--bind-to", "core", "/opt/viaduct", "run", "quick", "--quiet"}));
}

TEST(Mpirun, NeverHoldsTooManyRanksOnACore) {
  const LaunchLine line = make_launch_line(request_of(9, Engine::mpi), user_facts);
  EXPECT_EQ(line.words,
            (Words{"mpirun",
                   "-n",
                   "9",
                   "--oversubscribe",
                   "--bind-to",
                   "none",
                   "/opt/viaduct",
                   "run",
                   "quick",
                   "--quiet"}));
  ASSERT_EQ(line.notes.size(), 1U);
  EXPECT_NE(line.notes[0].find("9 ranks on 8 cores"), std::string::npos);
}

TEST(Mpirun, AllowsRootAndSaysSo) {
  LaunchFacts facts = user_facts;
  facts.is_root = true;
  const LaunchLine line = make_launch_line(request_of(2, Engine::nccl), facts);
  EXPECT_TRUE(has_word(line, "--allow-run-as-root"));
  EXPECT_EQ(line.notes.size(), 1U);
}

TEST(Mpirun, ExportsVariablesThatItWouldKeep) {
  LaunchRequest request = request_of(2, Engine::mpi);
  request.environment = {{"OMPI_MCA_btl", "tcp,self"}, {"UCX_TLS", "tcp"}};
  request.unset = {"OMPI_MCA_pml"};
  const LaunchLine line = make_launch_line(request, user_facts);
  const auto exported = std::find(line.words.begin(), line.words.end(), "-x");
  ASSERT_NE(exported, line.words.end());
  EXPECT_EQ(*(exported + 1), "UCX_TLS");
  EXPECT_EQ(std::count(line.words.begin(), line.words.end(), "-x"), 1);
  EXPECT_EQ(line.environment, request.environment);
  EXPECT_EQ(line.unset, request.unset);
}

TEST(Mpirun, TakesSlotsFromTheHostsFile) {
  const HostsFile enough("a slots=8\nb slots=8\n");
  LaunchRequest request = request_of(16, Engine::mpi);
  request.hosts_file = enough.name();
  const LaunchLine fits = make_launch_line(request, user_facts);
  EXPECT_FALSE(has_word(fits, "--oversubscribe"));
  EXPECT_TRUE(has_word(fits, "core"));
  EXPECT_EQ(fits.words[3], "--hostfile");
  EXPECT_EQ(fits.words[4], enough.name());
  request.ranks = 17;
  EXPECT_TRUE(has_word(make_launch_line(request, user_facts), "--oversubscribe"));
  const HostsFile unknown("a\nb\n");
  request.hosts_file = unknown.name();
  const LaunchLine open = make_launch_line(request, user_facts);
  EXPECT_FALSE(has_word(open, "--oversubscribe"));
  EXPECT_TRUE(has_word(open, "none"));
}

TEST(Srun, AsksForPmixAndAllGpus) {
  LaunchRequest request = request_of(8, Engine::nccl);
  request.launcher = "srun";
  const LaunchLine line = make_launch_line(request, user_facts);
  EXPECT_EQ(line.words,
            (Words{"srun",
                   "-n",
                   "8",
                   "--mpi=pmix",
                   "--export=ALL",
                   "--gpu-bind=none",
                   "--cpu-bind=none",
                   "/opt/viaduct",
                   "run",
                   "quick",
                   "--quiet"}));
  ASSERT_EQ(line.notes.size(), 1U);
  EXPECT_NE(line.notes[0].find("not inside an allocation"), std::string::npos);
}

TEST(Srun, TakesHostsAsAList) {
  const HostsFile hosts("a slots=8\nb slots=8\n");
  LaunchRequest request = request_of(16, Engine::mpi);
  request.launcher = "srun";
  request.hosts_file = hosts.name();
  LaunchFacts facts = user_facts;
  facts.in_slurm = true;
  const LaunchLine line = make_launch_line(request, facts);
  EXPECT_TRUE(has_word(line, "--nodes=2"));
  EXPECT_TRUE(has_word(line, "--nodelist=a,b"));
  EXPECT_TRUE(has_word(line, "--cpu-bind=cores"));
  EXPECT_FALSE(has_word(line, "--gpu-bind=none"));
  EXPECT_EQ(line.notes.size(), 1U);
}

TEST(LaunchLine, ChoosesTheLauncher) {
  LaunchRequest request = request_of(2, Engine::nccl);
  request.launcher = "auto";
  LaunchFacts facts = user_facts;
  EXPECT_EQ(make_launch_line(request, facts).words.front(), "mpirun");
  facts.in_slurm = true;
  EXPECT_EQ(make_launch_line(request, facts).words.front(), "srun");
  facts.has_srun = false;
  EXPECT_EQ(make_launch_line(request, facts).words.front(), "mpirun");
  facts.has_srun = true;
  facts.in_slurm = false;
  facts.has_mpirun = false;
  EXPECT_EQ(make_launch_line(request, facts).words.front(), "srun");
}

TEST(LaunchLine, RefusesWhatCannotBeLaunched) {
  LaunchFacts nothing;
  LaunchRequest request = request_of(2, Engine::nccl);
  request.launcher = "auto";
  EXPECT_EQ(message_of(request, nothing).rfind("no launcher found", 0), 0U);
  request.launcher = "mpirum";
  EXPECT_NE(message_of(request, user_facts).find("mpirum"), std::string::npos);
  EXPECT_NE(message_of(request, user_facts).find("mpirun"), std::string::npos);
  request.launcher = "srun";
  EXPECT_EQ(message_of(request, nothing), "launcher 'srun' is not in a folder of PATH");
  request.launcher = "mpirun";
  request.ranks = 0;
  EXPECT_EQ(message_of(request, user_facts), "-n must be a number of ranks from 1, is 0");
  request.ranks = 1;
  request.hosts_file = "/no/such/hosts";
  EXPECT_NE(message_of(request, user_facts).find("/no/such/hosts"), std::string::npos);
}

TEST(ShellText, IsTakenByAShellAsItWasMeant) {
  LaunchLine line;
  line.words = {"printf", "%s\\n", "a b", "it's", "$HOME", "", "plain-1.0/x=y,z"};
  line.environment = {{"V", "tcp,self"}, {"W", "a b"}};
  line.unset = {"U"};
  EXPECT_EQ(shell_text(line).rfind("env -u U V=tcp,self W='a b' printf ", 0), 0U);
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(shell_text(line).c_str(), "r"), ::pclose);
  ASSERT_NE(pipe, nullptr);
  std::string printed;
  for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get())) {
    printed += static_cast<char>(letter);
  }
  EXPECT_EQ(printed, "a b\nit's\n$HOME\n\nplain-1.0/x=y,z\n");
}

TEST(ChildEnvironment, AddsReplacesAndUnsets) {
  const char* const inherited[] = {"A=1", "B=2", "NCCL_X=3", "C=4=4", nullptr};
  LaunchLine line;
  line.environment = {{"B", "new"}, {"D", ""}};
  line.unset = {"NCCL_X"};
  EXPECT_EQ(child_environment(inherited, line), (Words{"A=1", "C=4=4", "B=new", "D="}));
}

TEST(LaunchFacts, CountsAtLeastOneSlotAndFindsPrograms) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-path-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  ::setenv("PATH", folder.c_str(), 1);
  EXPECT_FALSE(launch_facts().has_srun);
  std::ofstream(folder + "/srun") << "#!/bin/sh\n";
  EXPECT_FALSE(launch_facts().has_srun) << "a file that cannot be executed is no program";
  std::filesystem::permissions(folder + "/srun", std::filesystem::perms::owner_all);
  EXPECT_TRUE(launch_facts().has_srun);
  EXPECT_FALSE(launch_facts().has_mpirun);
  EXPECT_GE(launch_facts().slots, 1);
  EXPECT_EQ(launch_facts().is_root, ::geteuid() == 0);
  ::setenv("PATH", before.c_str(), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace viaduct
