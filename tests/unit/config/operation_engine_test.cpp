#include "config/operation_engine.hpp"

#include "config/run_arguments.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

const std::vector<std::string> known{"all_reduce", "sendrecv"};

RunConfig config_of(const std::vector<std::string>& words) {
  return parse_run_arguments(words, known).config;
}

std::string complaint(const std::vector<std::string>& words) {
  try {
    parse_run_arguments(words, known);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "no error";
}

OperationTraits traits(const std::string& operation) {
  const CopyOperation* copy = find_copy_operation(operation);
  return OperationTraits{.has_size = copy == nullptr || copy->has_size, .copy = copy};
}

TEST(OperationEngine, CopiesChooseTheirEngine) {
  EXPECT_EQ(config_of({"copy_write"}).engine, EngineChoice::copy);
  EXPECT_EQ(config_of({"all_reduce"}).engine, EngineChoice::auto_);
  EXPECT_EQ(resolve_engine(config_of({"copy_write"}), false), Engine::copy);
}

TEST(OperationEngine, OneWordStandsForAllCopies) {
  EXPECT_EQ(config_of({"copies"}).blocks[0].operations, copy_operation_names());
  EXPECT_EQ(config_of({"all"}).blocks[0].operations, known);
}

TEST(OperationEngine, MixturesAreRefused) {
  EXPECT_NE(complaint({"copy_write", "all_reduce"}).find("two runs"), std::string::npos);
  EXPECT_NE(complaint({"all_reduce", "--engine", "copy"}).find("all_reduce"), std::string::npos);
  EXPECT_NE(complaint({"copy_write", "--engine", "mpi"}).find("copy_write"), std::string::npos);
  EXPECT_NE(complaint({"copy_writ"}).find("copy_write"), std::string::npos);
}

TEST(OperationEngine, ModesOfCopiesHaveNoGraph) {
  const RunConfig config = config_of({"copy_write", "--mode", "graph"});
  EXPECT_THROW(expand_cases(config, {.engine = Engine::copy}, &traits), Error);
}

TEST(OperationEngine, CasesOfCopiesAreTheCellsOfTheirMatrix) {
  const RunConfig config = config_of({"copy_write", "--sizes", "16,1M", "-d", "float32"});
  const auto cases = expand_cases(config, {.engine = Engine::copy, .gpus = 2}, &traits);
  ASSERT_EQ(cases.size(), 8U);
  EXPECT_EQ(cases[0].ends, (CopyEnds{0, 0}));
  EXPECT_EQ(cases[1].ends, (CopyEnds{0, 1}));
  EXPECT_EQ(cases[0].datatype, Datatype::uint8);
  EXPECT_EQ(cases[0].mode, Mode::stream);
}

TEST(OperationEngine, CopiesBothWaysFillTheMatrixInTheMethodOfTheSample) {
  const std::vector<std::string> once{"copy_write_both", "--sizes", "1M"};
  std::vector<std::string> as_sample = once;
  as_sample.insert(as_sample.end(), {"--method", "p2p-sample"});
  const ExpandRules rules{.engine = Engine::copy, .gpus = 2};
  EXPECT_EQ(expand_cases(config_of(once), rules, &traits).size(), 3U);
  EXPECT_EQ(expand_cases(config_of(as_sample), rules, &traits).size(), 4U);
}

TEST(OperationEngine, PathsOfCopiesAreTheirOwn) {
  const auto paths = resolve_paths(config_of({"copy_write"}), Engine::copy);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].name, "direct");
  EXPECT_EQ(paths[0].engine, Engine::copy);
  EXPECT_EQ(paths[1].set.at("VIADUCT_COPY_ROUTE"), "driver");
  const RunConfig own =
      config_of({"copy_write", "--path", "mine:VIADUCT_COPY_ROUTE=pinned", "--paths", "direct"});
  EXPECT_EQ(resolve_paths(own, Engine::copy).size(), 2U);
}

TEST(OperationEngine, WrongRoutesAndVariablesOfOtherEnginesAreRefused) {
  EXPECT_NE(complaint({"copy_write", "--path", "x:VIADUCT_COPY_ROUTE=nvlink"}).find("pinned"),
            std::string::npos);
  EXPECT_NE(complaint({"copy_write", "--path", "x:NCCL_P2P_DISABLE=1"}).find("no effect"),
            std::string::npos);
  EXPECT_THROW(resolve_paths(config_of({"copy_write", "--paths", "socket"}), Engine::copy), Error);
}

}  // namespace
}  // namespace viaduct
