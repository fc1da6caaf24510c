#include "app/mpi_settings.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Variables = std::map<std::string, std::string>;

const Variables yields{{"OMPI_MCA_mpi_yield_when_idle", "1"}};

TEST(MpiSettings, ReadTheRanksOfAHost) {
  EXPECT_EQ(local_ranks_said({}), 0);
  EXPECT_EQ(local_ranks_said({{"OMPI_COMM_WORLD_LOCAL_SIZE", "8"}}), 8);
  EXPECT_EQ(local_ranks_said({{"SLURM_STEP_TASKS_PER_NODE", "2(x16),4,1"}}), 4);
  EXPECT_EQ(local_ranks_said({{"SLURM_STEP_TASKS_PER_NODE", "8(x64)"}}), 8);
  EXPECT_EQ(local_ranks_said({{"OMPI_COMM_WORLD_LOCAL_SIZE", "many"}}), 0);
  EXPECT_EQ(local_ranks_said(
                {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}, {"SLURM_STEP_TASKS_PER_NODE", "1(x2)"}}),
            2)
      << "mpirun inside a job";
}

TEST(MpiSettings, LetRanksThatDoNotMeasureYield) {
  EXPECT_EQ(settings_before_mpi({}, Engine::nccl, 96), yields);
}

TEST(MpiSettings, LetMeasuringRanksYieldOnlyWhereTheyShareCores) {
  EXPECT_TRUE(settings_before_mpi({}, Engine::mpi, 2).empty());
  EXPECT_TRUE(settings_before_mpi({{"MPI_LOCALNRANKS", "2"}}, Engine::mpi, 2).empty());
  EXPECT_EQ(settings_before_mpi({{"MPI_LOCALNRANKS", "3"}}, Engine::mpi, 2), yields);
}

TEST(MpiSettings, LeaveWhatTheUserSaid) {
  EXPECT_TRUE(
      settings_before_mpi({{"OMPI_MCA_mpi_yield_when_idle", "0"}}, Engine::nccl, 96).empty());
}

TEST(MpiSettings, WaitAfterInitOnlyWhereSrunStartedTheRanks) {
  EXPECT_EQ(pause_after_init_s({}), 0);
  EXPECT_GT(pause_after_init_s({{"SLURM_STEP_ID", "0"}}), 0);
  EXPECT_EQ(pause_after_init_s({{"SLURM_STEP_ID", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), 0);
}

}  // namespace
}  // namespace viaduct
