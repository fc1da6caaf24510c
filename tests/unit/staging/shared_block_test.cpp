#include "staging/shared_block.hpp"

#include "core/deadline.hpp"
#include "core/error.hpp"
#include "staging/task_queue.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace viaduct::staging {

namespace {

TEST(SharedBlock, BothSidesSeeOneMemory) {
  const SharedBlock ours = SharedBlock::create();
  const SharedBlock theirs = SharedBlock::attach(ours.descriptor());
  theirs.take_pages();
  EXPECT_NE(ours.data(), theirs.data());
  theirs.slot(3)[slot_bytes - 1] = 77;
  EXPECT_EQ(ours.slot(3)[slot_bytes - 1], 77);
  EXPECT_EQ(ours.slot(4), ours.slot(3) + slot_bytes);
}

TEST(SharedBlock, OtherMemoryIsNotTaken) {
  EXPECT_THROW(SharedBlock::attach(-1), Error);
  const int small = ::memfd_create("small", MFD_CLOEXEC);
  ASSERT_GE(small, 0);
  EXPECT_THROW(SharedBlock::attach(small), Error);
  ::close(small);
}

TEST(SharedBlock, MemoryOfAnotherFormIsRefusedInWords) {
  const SharedBlock block = SharedBlock::create();
  block.head().mark += 1;
  try {
    SharedBlock::attach(block.descriptor());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("from one build"), std::string::npos) << error.message();
  }
}

TEST(TaskQueue, TasksComeInOrderAndEndInAny) {
  const SharedBlock block = SharedBlock::create();
  TaskWriter writer(block);
  TaskReader reader(block);
  EXPECT_FALSE(reader.next());
  const auto first = writer.submit({.kind = TaskKind::send, .slot = 0, .peer = 1, .count = 10});
  const auto second = writer.submit({.kind = TaskKind::receive, .slot = 9, .peer = 2, .count = 20});
  const auto taken = reader.next();
  const auto next = reader.next();
  ASSERT_TRUE(taken && next);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(taken->task.peer, 1);
  EXPECT_EQ(next->task.count, 20U);
  reader.finish(9, next->number);
  EXPECT_TRUE(writer.is_finished(9, second));
  EXPECT_FALSE(writer.is_finished(0, first));
  reader.finish(0, taken->number);
  EXPECT_TRUE(writer.is_finished(0, first));
}

TEST(TaskQueue, GoesRoundManyTimes) {
  const SharedBlock block = SharedBlock::create();
  TaskWriter writer(block);
  TaskReader reader(block);
  for (std::uint64_t i = 0; i < 10 * ring_length; ++i) {
    const auto slot = static_cast<std::uint32_t>(i % slot_count);
    const auto number = writer.submit({.slot = slot, .count = i});
    EXPECT_FALSE(writer.is_finished(slot, number)) << "of an earlier task on this slot";
    const auto taken = reader.next();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->task.count, i);
    reader.finish(slot, taken->number);
    EXPECT_TRUE(writer.is_finished(slot, number));
  }
}

/// Two processes: what the child wrote to a slot is there when its task is.
TEST(TaskQueue, CarriesDataBetweenProcesses) {
  constexpr std::uint64_t tasks = 2000;
  const SharedBlock block = SharedBlock::create();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const SharedBlock own = SharedBlock::attach(block.descriptor());
    TaskWriter writer(own);
    for (std::uint64_t i = 0; i < tasks; ++i) {
      const auto slot = static_cast<std::uint32_t>(i % slot_count);
      *reinterpret_cast<std::uint64_t*>(own.slot(slot)) = i * i;
      const auto number = writer.submit({.slot = slot, .count = i});
      while (!writer.is_finished(slot, number)) {
        ::sched_yield();
      }
    }
    ::_exit(0);
  }
  TaskReader reader(block);
  std::uint64_t wrong = 0;
  std::uint64_t seen = 0;
  const Deadline deadline = Deadline::after(30);
  while (seen < tasks && !deadline.has_passed()) {
    if (const auto taken = reader.next()) {
      const auto value = *reinterpret_cast<std::uint64_t*>(block.slot(taken->task.slot));
      wrong += value == taken->task.count * taken->task.count ? 0U : 1U;
      reader.finish(taken->task.slot, taken->number);
      ++seen;
    } else {
      ::sched_yield();
    }
  }
  if (seen < tasks) {
    ::kill(child, SIGKILL);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(seen, tasks);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace

}  // namespace viaduct::staging
