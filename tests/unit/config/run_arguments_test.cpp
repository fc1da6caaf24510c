#include "config/run_arguments.hpp"

#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace viaduct {
namespace {

using Words = std::vector<std::string>;
using Sizes = std::vector<std::uint64_t>;

const Words known{"all_reduce", "all_gather", "sendrecv"};

RunConfig parsed(const Words& words) {
  return parse_run_arguments(words, known).config;
}

std::string message(const Words& words) {
  return usage_message([&] { parse_run_arguments(words, known); });
}

Sizes sizes(Words words) {
  words.insert(words.begin(), "all_reduce");
  return parsed(words).blocks.at(0).sizes_bytes;
}

TEST(RunArguments, MeasureACollectiveAtDefaultSizes) {
  const RunConfig config = parsed({"all_reduce"});
  ASSERT_EQ(config.blocks.size(), 1U);
  EXPECT_EQ(config.blocks[0].operations, Words{"all_reduce"});
  EXPECT_EQ(config.blocks[0].sizes_bytes.front(), 8U);
  EXPECT_EQ(config.blocks[0].sizes_bytes.back(), 134217728U);
  EXPECT_EQ(config.blocks[0].sizes_bytes.size(), 25U);
  EXPECT_EQ(config.engine, EngineChoice::auto_);
  EXPECT_EQ(config.out_dir, "viaduct-results");
  EXPECT_TRUE(config.plan_name.empty());
}

TEST(RunArguments, ReadTheLettersOfNcclTests) {
  const RunConfig config = parsed(
      {"all_reduce", "-b", "8", "-e", "32", "-f", "2", "-n", "50", "-w", "5", "-d", "int32", "-o",
       "sum",        "-r", "1", "-c", "3",  "-R", "0", "-g", "1",  "-t", "1", "-G", "4"});
  const CaseBlock& block = config.blocks.at(0);
  EXPECT_EQ(block.sizes_bytes, (Sizes{8, 16, 32}));
  EXPECT_EQ(block.datatypes, std::vector<Datatype>{Datatype::int32});
  EXPECT_EQ(block.roots, std::vector<int>{1});
  EXPECT_EQ(block.modes, std::vector<Mode>{Mode::graph});
  EXPECT_EQ(config.fixed_operations, 50U);
  EXPECT_EQ(config.warmup_operations, 5U);
  EXPECT_EQ(config.checked_batches, 3U);
  EXPECT_EQ(config.graph_replays, 4U);
}

TEST(RunArguments, ReadTheLongNamesOfNcclTests) {
  const RunConfig config = parsed({"all_gather",
                                   "--minbytes=1M",
                                   "--maxbytes",
                                   "3M",
                                   "--stepbytes",
                                   "1M",
                                   "--iters",
                                   "7",
                                   "--warmup_iters",
                                   "0",
                                   "--datatype",
                                   "float",
                                   "--op",
                                   "sum",
                                   "--root",
                                   "0",
                                   "--check",
                                   "0",
                                   "--cudagraph",
                                   "0",
                                   "--local_register",
                                   "0",
                                   "--ngpus",
                                   "1",
                                   "--nthreads",
                                   "1"});
  EXPECT_EQ(config.blocks.at(0).sizes_bytes, (Sizes{1048576, 2097152, 3145728}));
  EXPECT_EQ(config.fixed_operations, 7U);
  EXPECT_EQ(config.warmup_operations, 0U);
  EXPECT_EQ(config.checked_batches, 0U);
  EXPECT_FALSE(config.graph_replays.has_value());
  EXPECT_TRUE(config.blocks.at(0).modes.empty());
}

TEST(RunArguments, ReadOurOwnOptions) {
  const RunConfig config = parsed({"all_reduce,sendrecv",
                                   "all_gather",
                                   "--engine",
                                   "nccl",
                                   "--paths",
                                   "direct,socket",
                                   "--path",
                                   "ring:NCCL_ALGO=Ring",
                                   "--path",
                                   "t:NCCL_ALGO=Tree",
                                   "--mode",
                                   "stream,each",
                                   "--method",
                                   "viaduct",
                                   "--lanes",
                                   "serial",
                                   "--reopen",
                                   "2",
                                   "--time",
                                   "0.5",
                                   "--placement",
                                   "both",
                                   "--buffers",
                                   "nccl",
                                   "--expect-ranks",
                                   "8",
                                   "--bind",
                                   "none",
                                   "--expect-gpus-per-node",
                                   "4",
                                   "--allow-single",
                                   "--out",
                                   "res",
                                   "--quiet",
                                   "--deadline",
                                   "90",
                                   "--seed",
                                   "9",
                                   "--samples"});
  EXPECT_EQ(config.blocks.at(0).operations, (Words{"all_reduce", "sendrecv", "all_gather"}));
  EXPECT_EQ(config.blocks.at(0).modes, (std::vector<Mode>{Mode::stream, Mode::each}));
  EXPECT_EQ(config.blocks.at(0).placements,
            (std::vector<Placement>{Placement::out_of_place, Placement::in_place}));
  EXPECT_EQ(config.engine, EngineChoice::nccl);
  EXPECT_EQ(config.path_names, (Words{"direct", "socket", "ring", "t"}));
  EXPECT_TRUE(config.added_path_names.empty());
  EXPECT_EQ(config.own_paths.size(), 2U);
  EXPECT_EQ(config.lanes, LanesChoice::serial);
  EXPECT_EQ(config.reopen, 2);
  EXPECT_EQ(config.cap_s, 0.5);
  EXPECT_EQ(config.buffers, BufferKind::nccl);
  EXPECT_EQ(config.expect_ranks, 8);
  EXPECT_EQ(config.expect_gpus_per_node, 4);
  EXPECT_EQ(config.bind, "none");
  EXPECT_EQ(config.out_dir, "res");
  EXPECT_EQ(config.deadline_s, 90);
  EXPECT_EQ(config.seed, 9U);
  EXPECT_TRUE(config.allow_single && config.quiet && config.keep_samples);
}

TEST(RunArguments, ReadTheGroup) {
  EXPECT_EQ(parsed({"all_reduce"}).group, "all");
  EXPECT_EQ(parsed({"all_reduce", "--group", "4"}).group, "4");
  EXPECT_EQ(parsed({"all_reduce", "--group", "rail"}).group, "rail");
}

TEST(RunArguments, ReadSlots) {
  EXPECT_FALSE(parsed({"all_reduce"}).slots);
  EXPECT_EQ(parsed({"all_reduce", "--slots", "5"}).slots, 5U);
  EXPECT_NE(message({"all_reduce", "--slots", "0"}).find("--slots"), std::string::npos);
}

TEST(RunArguments, ReadSizes) {
  EXPECT_EQ(sizes({"-b", "4K"}), Sizes{4096});
  EXPECT_EQ(sizes({"-e", "32"}), (Sizes{8, 16, 32}));
  EXPECT_EQ(sizes({"-b", "0", "-e", "16"}), (Sizes{0, 4, 8, 16}));
  EXPECT_EQ(sizes({"-b", "8", "-e", "20", "-f", "1.5"}), (Sizes{8, 12, 18}));
  EXPECT_EQ(sizes({"--sizes", "1M,8,4K,8K"}), (Sizes{8, 4096, 8192, 1048576}));
  EXPECT_EQ(sizes({"-b8", "-e8"}), Sizes{8});
  EXPECT_EQ(sizes({"-b", "8", "-b", "16"}), Sizes{16}) << "the last one counts";
}

TEST(RunArguments, ReadPlacements) {
  EXPECT_EQ(parsed({"all_reduce", "--in-place"}).blocks[0].placements,
            std::vector<Placement>{Placement::in_place});
  EXPECT_EQ(parsed({"all_reduce", "--in-place", "--out-of-place"}).blocks[0].placements.size(), 2U);
  EXPECT_EQ(parsed({"all_reduce"}).blocks[0].placements,
            std::vector<Placement>{Placement::out_of_place});
  EXPECT_EQ(message({"all_reduce", "--placement", "inplace"}),
            "--placement: 'inplace' is not out-of-place, in-place or both");
  EXPECT_EQ(message({"all_reduce", "--placement", "both", "--in-place"}),
            "--placement says it all; leave --in-place and --out-of-place away");
}

TEST(RunArguments, OverrideThePlanInEverySection) {
  const RunConfig config =
      parsed({"quick", "--sizes", "8", "-d", "int32", "--paths", "tcp", "--time", "2"});
  EXPECT_EQ(config.plan_name, "quick");
  for (const Engine engine : {Engine::nccl, Engine::mpi}) {
    const RunConfig whole = for_engine(config, engine);
    EXPECT_EQ(whole.cap_s, 2);
    EXPECT_EQ(whole.path_names, Words{"tcp"});
    for (const CaseBlock& block : whole.blocks) {
      EXPECT_EQ(block.sizes_bytes, Sizes{8});
      EXPECT_EQ(block.datatypes, std::vector<Datatype>{Datatype::int32});
    }
  }
}

TEST(RunArguments, MakeAPathOfTheEngineThatItsVariablesName) {
  EXPECT_EQ(parsed({"all_reduce", "--path", "a:OMPI_MCA_btl=tcp,self"}).own_paths.at(0).engine,
            Engine::mpi);
  EXPECT_EQ(parsed({"all_reduce", "--path", "a:X=1"}).own_paths.at(0).engine, Engine::nccl);
  EXPECT_EQ(parsed({"all_reduce", "--engine", "mpi", "--path", "a:X=1"}).own_paths.at(0).engine,
            Engine::mpi);
}

TEST(RunArguments, MeasureAPathBesidesThoseOfThePlan) {
  const RunConfig config = parsed({"quick", "--path", "ring:NCCL_ALGO=Ring"});
  EXPECT_EQ(for_engine(config, Engine::nccl).path_names, (Words{"direct", "host-staged", "ring"}));
}

TEST(RunArguments, ShowHelp) {
  const RunArguments arguments = parse_run_arguments({"--help"}, known);
  EXPECT_TRUE(arguments.help_wanted);
  for (const char* part :
       {"viaduct run", "-b,--minbytes", "-G,--cudagraph", "--path ", "--paths-file", "quick"}) {
    EXPECT_NE(arguments.help.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(parse_run_arguments({"-h", "nonsense", "--wrong"}, known).help_wanted);
}

TEST(RunArguments, NameUnknownOptions) {
  EXPECT_EQ(message({"all_reduce", "--minbyte", "8"}),
            "unknown option '--minbyte'; did you mean '--minbytes' or '--maxbytes'?");
  EXPECT_EQ(message({"all_reduce", "--plaths=x"})
                .rfind("unknown option '--plaths'; did you mean '--paths'", 0),
            0U);
  EXPECT_EQ(message({"all_reduce", "-z"}), "unknown option '-z'; `viaduct run --help` lists all");
  EXPECT_EQ(message({"all_reduce", "-b"}),
            "option -b needs a value; `viaduct run --help` shows its form");
  EXPECT_EQ(message({"all_reduce", "--require-paths"}).rfind("unknown option '--require-paths'", 0),
            0U);
}

TEST(RunArguments, ReadWhatIsAskedOfEvidence) {
  EXPECT_TRUE(parsed({"all_reduce", "--require-path"}).requires_path);
  EXPECT_FALSE(parsed({"all_reduce"}).requires_path);
  EXPECT_FALSE(parsed({"all_reduce", "--no-probe"}).probes_algorithms);
  EXPECT_TRUE(parsed({"all_reduce"}).probes_algorithms);
}

TEST(RunArguments, TakeGates) {
  EXPECT_EQ(parsed({"all_reduce", "--gates", "g.json"}).gates.word, "g.json");
  EXPECT_FALSE(parsed({"all_reduce"}).gates.has_any());
  EXPECT_EQ(message({"all_reduce", "--gates", ""}), "--gates: the name of the file is empty");
}

TEST(RunArguments, NameSizesThatAreNoSizes) {
  for (const char* text : {"8X", "-8", "1.3", "1M2", "99999999999G"}) {
    const std::string said = message({"all_reduce", std::string("--minbytes=") + text});
    EXPECT_EQ(said.rfind("-b: '" + std::string(text) + "'", 0), 0U) << said;
  }
  EXPECT_EQ(message({"all_reduce", "-b", "1M", "-e", "8"}),
            "-b 1M is above -e 8; the smallest size comes with -b");
  EXPECT_EQ(message({"all_reduce", "-b", "8", "-e", "16", "-f", "1"}),
            "-f: '1' is not a number above 1");
  EXPECT_EQ(message({"all_reduce", "-b", "8", "-e", "16", "-f", "x"}),
            "-f: 'x' is not a number above 1");
  EXPECT_EQ(message({"all_reduce", "-b", "8", "-e", "16", "-i", "0"}),
            "-i: a step of 0 bytes never reaches -e; write a size such as 1M");
  EXPECT_EQ(message({"all_reduce", "-f", "2", "-i", "8"}),
            "-f and -i are both given; keep one of them");
  EXPECT_EQ(message({"all_reduce", "--sizes", "8", "-b", "8"}),
            "--sizes says all the sizes; leave -b, -e, -f and -i away");
  EXPECT_EQ(message({"all_reduce", "--sizes", "8,,16"}),
            "--sizes: '8,,16' has an empty part; write words joined by commas, without blanks");
  EXPECT_NE(message({"all_reduce", "-b", "0", "-e", "1T", "-i", "1"}).find("100000"),
            std::string::npos);
}

TEST(RunArguments, NameUnknownCollectivesAndPlans) {
  EXPECT_EQ(message({"allreduce"}),
            "unknown collective or plan 'allreduce'; did you mean 'all_reduce'?");
  EXPECT_EQ(message({"quik"}), "unknown collective or plan 'quik'; did you mean 'quick'?");
  EXPECT_EQ(message({}),
            "no case: name a plan (viaduct run quick) or collectives (viaduct run all_reduce -b 8 "
            "-e 1G)");
  EXPECT_EQ(message({"-b", "8"}), message({}));
  EXPECT_EQ(message({"quick", "all_reduce"}),
            "'quick' is a plan and stands alone; it cannot be mixed with other names");
  EXPECT_EQ(message({"nowhere.json"}),
            "plan 'nowhere.json' cannot be read: No such file or directory");
}

TEST(RunArguments, RefuseSeveralGpusPerRankWithTheRightLine) {
  EXPECT_EQ(message({"all_reduce", "-b", "8", "-g", "8", "-e", "1G"}),
            "-g 8: one rank drives one GPU here; start one rank per GPU: mpirun -n 8 viaduct run "
            "all_reduce -b 8 "
            "-e 1G");
  EXPECT_EQ(message({"-t2", "--ngpus=4", "all_reduce"}),
            "-g 4 -t 2: one rank drives one GPU here; start one rank per GPU: mpirun -n 8 viaduct "
            "run all_reduce");
  EXPECT_EQ(message({"all_reduce", "-g", "x"}), "-g: 'x' is not a whole number from 1 to 1000000");
}

TEST(RunArguments, ReadListsOfValues) {
  const RunConfig config = parsed({"all_reduce", "-d", "half,all", "-o", "max,min", "-r", "2,0"});
  EXPECT_EQ(config.blocks.at(0).datatypes.size(), all_datatypes().size());
  EXPECT_EQ(config.blocks.at(0).datatypes.front(), Datatype::float16);
  EXPECT_EQ(config.blocks.at(0).reductions, (std::vector<ReduceOp>{ReduceOp::max, ReduceOp::min}));
  EXPECT_EQ(config.blocks.at(0).roots, (std::vector<int>{2, 0}));
  EXPECT_TRUE(parsed({"all_reduce", "-r", "all"}).blocks.at(0).roots.empty());
  EXPECT_TRUE(parsed({"all_reduce", "-r", "-1"}).blocks.at(0).roots.empty());
  EXPECT_EQ(message({"all_reduce", "-r", "first"}),
            "-r: 'first' is not a root; write a rank from 0 on, or all (or -1) for every rank");
  EXPECT_EQ(message({"all_reduce", "-r", "-2"}),
            "-r: '-2' is not a root; write a rank from 0 on, or all (or -1) for every rank");
  EXPECT_EQ(
      message({"all_reduce", "--traffic", "skew"}),
      "--traffic: unknown traffic 'skew'; did you mean 'skewed'?; nor is there a file of that "
      "name");
}

TEST(RunArguments, ReadKindsOfBuffers) {
  EXPECT_EQ(parsed({"all_reduce", "-R", "0"}).buffers, BufferKind::plain);
  EXPECT_EQ(parsed({"all_reduce", "-R", "1"}).buffers, BufferKind::registered);
  EXPECT_EQ(parsed({"all_reduce", "-R", "2"}).buffers, BufferKind::symmetric);
  EXPECT_EQ(parsed({"all_reduce", "--buffers", "symmetric"}).buffers, BufferKind::symmetric);
  EXPECT_EQ(parsed({"all_reduce", "--offset", "4"}).offset_bytes, 4U);
  EXPECT_EQ(message({"all_reduce", "-R", "1", "--buffers", "symmetric"}),
            "-R 1 asks for registered buffers and --buffers for symmetric; keep one of them");
  EXPECT_EQ(message({"all_reduce", "-R", "3"}), "-R: '3' is not a whole number from 0 to 2");
  EXPECT_EQ(message({"all_reduce", "--offset", "2M"}),
            "--offset: 2097152 bytes are no misalignment; write a size up to 1M, such as 4 or 4K");
}

TEST(RunArguments, AllStandsForEveryCollective) {
  EXPECT_GT(parsed({"all"}).blocks.at(0).operations.size(), 2U);
}

TEST(RunArguments, RefuseWhatIsNone) {
  EXPECT_EQ(message({"all_reduce", "-d", "flaot32"}).rfind("-d: unknown datatype 'flaot32'", 0),
            0U);
  EXPECT_EQ(message({"all_reduce", "-G", "2", "--mode", "stream"}),
            "-G asks for mode graph, which --mode leaves out; keep one of them");
}

TEST(RunArguments, NameWrongValues) {
  EXPECT_EQ(message({"all_reduce", "-n", "0"}),
            "-n: '0' is not a whole number from 1 to 1000000000");
  EXPECT_EQ(message({"all_reduce", "-n", "1e3"}),
            "-n: '1e3' is not a whole number from 1 to 1000000000");
  EXPECT_EQ(message({"all_reduce", "--time", "0"}), "--time: '0' is not a number above 0");
  EXPECT_EQ(message({"all_reduce", "--time", "nan"}), "--time: 'nan' is not a number above 0");
  EXPECT_EQ(message({"all_reduce", "--engine", "ucx"}),
            "--engine: unknown engine 'ucx'; write auto, nccl, mpi or copy");
  EXPECT_EQ(message({"all_reduce", "--group", "0"}),
            "--group: unknown group '0'; write all, host, rail or a number of ranks from 1");
  EXPECT_EQ(message({"all_reduce", "--bind", "core"}),
            "--bind: 'core' is not gpu, launcher or none");
  EXPECT_EQ(message({"all_reduce", "--mode", "graphs"}).rfind("--mode: ", 0), 0U);
  EXPECT_EQ(message({"all_reduce", "--method", "osu"}).rfind("--method: ", 0), 0U);
  EXPECT_EQ(message({"all_reduce", "--paths", "direct,direct"}),
            "--paths: 'direct' stands twice in 'direct,direct'");
  EXPECT_EQ(message({"all_reduce", "--path", "direct:X=1"}),
            "path 'direct' is a preset and keeps its meaning; give your path another name");
  EXPECT_EQ(message({"all_reduce", "--out", ""}), "--out: the name of the folder is empty");
  EXPECT_EQ(message({"all_reduce", "--out", "\xff"}), "word 3 after run is not UTF-8 text");
}

TEST(RunArguments, ReadFiles) {
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string plan = folder + "/p.json";
  const std::string paths = folder + "/paths.json";
  std::ofstream(plan)
      << R"({"cases": [{"operations": ["all_reduce", "all_gathr"], "sizes": ["8"]}]})";
  EXPECT_EQ(
      message({plan}),
      plan + ": /cases/0/operations/1: unknown operation 'all_gathr'; did you mean 'all_gather'?");
  std::ofstream(paths) << R"({"paths": [{"name": "ring", "set": {"NCCL_ALGO": "Ring"}}]})";
  const RunConfig config = parsed({"all_reduce", "--paths-file", paths, "--paths", "direct,ring"});
  EXPECT_EQ(resolve_paths(config, Engine::nccl).at(1).set.at("NCCL_ALGO"), "Ring");
  EXPECT_EQ(message({"all_reduce", "--paths-file", folder + "/none.json"}),
            "file of paths '" + folder + "/none.json' cannot be read: No such file or directory");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace viaduct
