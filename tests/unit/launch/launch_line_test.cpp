#include "launch/launch_line.hpp"

#include "core/error.hpp"
#include "launch/child_environment.hpp"
#include "launch/mpirun_version.hpp"

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

LaunchFacts two_nodes_of_four() {
  LaunchFacts facts = user_facts;
  facts.in_slurm = true;
  facts.slurm_hosts = 2;
  facts.slurm_gpus = 4;
  return facts;
}

/// Whether these stand side by side.
bool has_words(const LaunchLine& line, const Words& words) {
  return std::search(line.words.begin(), line.words.end(), words.begin(), words.end()) !=
         line.words.end();
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

TEST(Mpirun, OfOpenMpi5HasItsOwnWords) {
  LaunchFacts facts = user_facts;
  facts.open_mpi = 5;
  LaunchRequest request = request_of(9, Engine::mpi);
  LaunchLine line = make_launch_line(request, facts);
  EXPECT_TRUE(has_words(line, {"--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"}));
  EXPECT_FALSE(has_word(line, "--oversubscribe"));
  const HostsFile hosts("a slots=2\nb slots=2\n");
  request.ranks = 0;
  request.per_host = 4;
  request.hosts_file = hosts.name();
  line = make_launch_line(request, facts);
  EXPECT_TRUE(has_words(line, {"-n", "8", "--hostfile", hosts.name()}));
  EXPECT_TRUE(has_words(line, {"--map-by", "ppr:4:node:OVERSUBSCRIBE"}));
  EXPECT_EQ(line.environment.at("PRTE_MCA_oob_tcp_keepalive_time"), "10");
  request.per_host = 2;
  EXPECT_TRUE(has_words(make_launch_line(request, facts), {"--map-by", "ppr:2:node"}));
}

TEST(Mpirun, OfAnotherMpiIsRefused) {
  LaunchFacts facts = user_facts;
  facts.open_mpi = 0;
  EXPECT_NE(message_of(request_of(2, Engine::mpi), facts).find("not Open MPI's"),
            std::string::npos);
}

TEST(Mpirun, PutsAsManyRanksOnEachHostAsAsked) {
  const HostsFile hosts("a slots=8\nb slots=8\nc slots=8\n");
  LaunchRequest request = request_of(0, Engine::nccl);
  request.per_host = 4;
  request.hosts_file = hosts.name();
  const LaunchLine line = make_launch_line(request, user_facts);
  EXPECT_EQ(line.ranks, 12);
  EXPECT_EQ(line.words,
            (Words{"mpirun",
                   "-n",
                   "12",
                   "--hostfile",
                   hosts.name(),
                   "--map-by",
                   "ppr:4:node",
                   "--bind-to",
                   "none",
                   "/opt/viaduct",
                   "run",
                   "quick",
                   "--quiet"}));
  request.per_host = 9;
  EXPECT_TRUE(has_word(make_launch_line(request, user_facts), "--oversubscribe"));
}

TEST(Mpirun, NoticesALostHostSoonUnlessTheUserSaysWhen) {
  const HostsFile hosts("a slots=1\nb slots=1\n");
  LaunchRequest request = request_of(2, Engine::nccl);
  request.hosts_file = hosts.name();
  const std::string variable = "OMPI_MCA_oob_tcp_keepalive_time";
  EXPECT_EQ(make_launch_line(request, user_facts).environment.at(variable), "10");
  LaunchFacts facts = user_facts;
  facts.variables = {variable};
  EXPECT_EQ(make_launch_line(request, facts).environment.count(variable), 0U);
  request.hosts_file.clear();
  EXPECT_TRUE(make_launch_line(request, user_facts).environment.empty());
}

TEST(Mpirun, PassesTheVariablesOfTheJobToOtherHosts) {
  const HostsFile hosts("a slots=1\nb slots=1\n");
  LaunchRequest request = request_of(2, Engine::nccl);
  LaunchFacts facts = user_facts;
  facts.variables = {"CUDA_VISIBLE_DEVICES", "HOME", "LD_LIBRARY_PATH", "NCCL_IB_HCA", "UCX_TLS"};
  EXPECT_FALSE(has_word(make_launch_line(request, facts), "-x"))
      << "ranks of this host inherit them";
  request.hosts_file = hosts.name();
  const LaunchLine line = make_launch_line(request, facts);
  EXPECT_TRUE(has_words(line, {"-x", "LD_LIBRARY_PATH", "-x", "NCCL_IB_HCA", "-x", "UCX_TLS"}));
  EXPECT_EQ(std::count(line.words.begin(), line.words.end(), "-x"), 3);
}

TEST(Exports, ReachEveryRank) {
  LaunchRequest request = request_of(2, Engine::nccl);
  request.exports = {"MY_SETTING=a b", "HOME"};
  LaunchFacts facts = user_facts;
  facts.variables = {"HOME"};
  LaunchLine line = make_launch_line(request, facts);
  EXPECT_TRUE(has_words(line, {"-x", "HOME", "-x", "MY_SETTING"}));
  EXPECT_EQ(line.environment, (std::map<std::string, std::string>{{"MY_SETTING", "a b"}}));
  request.launcher = "srun";
  line = make_launch_line(request, facts);
  EXPECT_TRUE(has_word(line, "--export=ALL"));
  EXPECT_FALSE(has_word(line, "-x"));
  EXPECT_EQ(line.environment.at("MY_SETTING"), "a b");
}

TEST(Exports, ThatCannotBeAreRefused) {
  for (const char* launcher : {"mpirun", "srun"}) {
    LaunchRequest request = request_of(2, Engine::nccl);
    request.launcher = launcher;
    request.exports = {"9X=1"};
    EXPECT_EQ(message_of(request, user_facts),
              "-x 9X=1: '9X' is no name of a variable; the right form is -x NAME or -x NAME=VALUE");
    request.exports = {"NOT_THERE"};
    EXPECT_EQ(message_of(request, user_facts),
              "-x NOT_THERE: this variable is not set here; give -x NOT_THERE=VALUE");
  }
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
                   "--disable-status",
                   "--wait=60",
                   "--export=ALL",
                   "--gpu-bind=none",
                   "--cpu-bind=none",
                   "/opt/viaduct",
                   "run",
                   "quick",
                   "--quiet"}));
  EXPECT_EQ(line.end_signal, SIGINT) << "at SIGTERM srun kills the ranks";
  ASSERT_EQ(line.notes.size(), 1U);
  EXPECT_NE(line.notes[0].find("not inside an allocation"), std::string::npos);
}

TEST(Srun, SpreadsRanksEvenlyOverTheAllocation) {
  LaunchRequest request = request_of(8, Engine::nccl);
  request.launcher = "auto";
  const LaunchLine line = make_launch_line(request, two_nodes_of_four());
  EXPECT_EQ(line.words,
            (Words{"srun",
                   "-n",
                   "8",
                   "--mpi=pmix",
                   "--nodes=2",
                   "--ntasks-per-node=4",
                   "--disable-status",
                   "--wait=60",
                   "--export=ALL",
                   "--gpus-per-node=4",
                   "--gpu-bind=none",
                   "--cpu-bind=none",
                   "/opt/viaduct",
                   "run",
                   "quick",
                   "--quiet"}));
  EXPECT_TRUE(line.notes.empty());
  request.ranks = 0;
  request.per_host = 2;
  const LaunchLine fewer = make_launch_line(request, two_nodes_of_four());
  EXPECT_TRUE(has_words(fewer, {"srun", "-n", "4"}));
  EXPECT_TRUE(has_words(fewer, {"--nodes=2", "--ntasks-per-node=2"}));
  EXPECT_TRUE(has_word(fewer, "--gpus-per-node=2"));
  request.ranks = 2;
  EXPECT_TRUE(has_words(make_launch_line(request, two_nodes_of_four()),
                        {"--nodes=1", "--ntasks-per-node=2"}));
  request.ranks = 3;
  request.per_host = 0;
  const LaunchLine uneven = make_launch_line(request, two_nodes_of_four());
  ASSERT_EQ(uneven.notes.size(), 1U);
  EXPECT_NE(uneven.notes[0].find("3 ranks do not divide by 2 hosts"), std::string::npos);
}

TEST(Srun, TakesNoMoreRanksThanGpus) {
  LaunchRequest request = request_of(16, Engine::nccl);
  request.launcher = "srun";
  EXPECT_NE(message_of(request, two_nodes_of_four()).find("8 ranks on each host, but the "),
            std::string::npos);
  request.engine = Engine::mpi;
  EXPECT_EQ(message_of(request, two_nodes_of_four()), "no error");
}

TEST(Srun, UndoesWhatTheJobSaidOfItsTasks) {
  LaunchRequest request = request_of(8, Engine::nccl);
  request.launcher = "srun";
  LaunchFacts facts = two_nodes_of_four();
  facts.variables = {"SLURM_GPUS_PER_TASK", "SLURM_MPI_TYPE", "SLURM_STEP_ID"};
  const LaunchLine line = make_launch_line(request, facts);
  EXPECT_EQ(line.unset, (Words{"SLURM_GPUS_PER_TASK"}));
  EXPECT_FALSE(has_word(line, "--mpi=pmix"));
  EXPECT_TRUE(has_word(line, "--overlap"));
  EXPECT_EQ(line.notes.size(), 2U);
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
  request.ranks = -2;
  EXPECT_EQ(message_of(request, user_facts), "-n must be a number of ranks from 1, is -2");
  request.ranks = 1;
  request.hosts_file = "/no/such/hosts";
  EXPECT_NE(message_of(request, user_facts).find("/no/such/hosts"), std::string::npos);
}

TEST(LaunchLine, RefusesNumbersThatDoNotFit) {
  const HostsFile hosts("a\nb\n");
  LaunchRequest request = request_of(0, Engine::nccl);
  EXPECT_EQ(message_of(request, user_facts).rfind("the number of ranks is missing", 0), 0U);
  request.hosts_file = hosts.name();
  EXPECT_EQ(message_of(request, user_facts).rfind("the number of ranks is missing", 0), 0U);
  request.ranks = 7;
  request.per_host = 4;
  EXPECT_NE(message_of(request, user_facts).find("-n 7 is no multiple of --per-host 4"),
            std::string::npos);
  request.ranks = 12;
  EXPECT_NE(message_of(request, user_facts).find("takes 3 hosts, but the hosts file"),
            std::string::npos);
  request.hosts_file.clear();
  EXPECT_NE(message_of(request, user_facts).find("takes 3 hosts, but there is 1"),
            std::string::npos);
  request.launcher = "srun";
  EXPECT_EQ(message_of(request, user_facts), "no error") << "the queue may have them";
  EXPECT_NE(
      message_of(request, two_nodes_of_four()).find("takes 3 hosts, but the allocation has 2"),
      std::string::npos);
}

TEST(LaunchLine, TakesTheSlotsOfTheHostsFileWhereNothingElseIsSaid) {
  const HostsFile hosts("a slots=3\nb slots=2\n");
  LaunchRequest request = request_of(0, Engine::mpi);
  request.hosts_file = hosts.name();
  EXPECT_EQ(make_launch_line(request, user_facts).ranks, 5);
}

TEST(OpenMpiMajor, IsReadFromItsTitle) {
  EXPECT_EQ(open_mpi_major("mpirun (Open MPI) 4.1.4\n\nReport bugs to"), 4);
  EXPECT_EQ(open_mpi_major("mpirun (Open MPI) 5.0.3\n"), 5);
  EXPECT_EQ(open_mpi_major("HYDRA build details:\n    Version: 4.0.2\n"), 0);
  EXPECT_EQ(open_mpi_major(""), 4);
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
