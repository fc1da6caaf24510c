#include "probe/host.hpp"

#include "core/error.hpp"
#include "probe/cpu_mask.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace viaduct {

TEST(Host, KnowsItself) {
  std::array<char, 256> name{};
  ASSERT_EQ(::gethostname(name.data(), name.size() - 1), 0);
  const HostInfo host = read_host();
  EXPECT_EQ(host.host, name.data());
  EXPECT_EQ(host_name(), host.host);
  EXPECT_EQ(host.kernel.rfind("Linux ", 0), 0U) << host.kernel;
  EXPECT_GT(host.memory_bytes, 100000000U);
  EXPECT_GE(host.cpus, 1);
  EXPECT_GT(available_memory_bytes(), 0U);
  EXPECT_LE(available_memory_bytes(), host.memory_bytes);
}

TEST(Host, CountsTheCpusOfAList) {
  EXPECT_EQ(count_cpus("0-3,8"), 5);
  EXPECT_EQ(count_cpus(""), 0);
  EXPECT_THROW(count_cpus("x"), Error);
}

TEST(SetCpus, ChangesNothingForAnEmptyList) {
  const std::string before = current_cpus();
  EXPECT_EQ(set_cpus(""), before);
  EXPECT_EQ(current_cpus(), before);
}

TEST(SetCpus, SetsEveryThreadAndReadsBack) {
  const std::set<int> before = thread_cpus(0);
  const std::string one = std::to_string(*before.begin());
  std::atomic<pid_t> other{0};
  std::atomic<bool> is_done{false};
  std::thread thread([&] {
    other = ::gettid();
    while (!is_done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  while (other == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(set_cpus(one), one);
  EXPECT_EQ(current_cpus(), one);
  EXPECT_EQ(thread_cpus(other), (std::set<int>{*before.begin()}));
  is_done = true;
  thread.join();
  EXPECT_TRUE(set_thread_cpus(0, before));
}

TEST(SetCpus, RefusesCpusThatAreNotThere) {
  const std::string before = current_cpus();
  try {
    set_cpus("8000");
    FAIL() << "took a CPU that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::refused);
    EXPECT_NE(error.message().find("8000"), std::string::npos);
  }
  EXPECT_THROW(set_cpus("0-"), Error);
  EXPECT_EQ(current_cpus(), before);
}

}  // namespace viaduct
