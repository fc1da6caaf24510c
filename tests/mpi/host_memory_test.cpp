#include "mpi/host_memory.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

TEST(HostMemory, RefusesMoreThanThereIsAndNamesBoth) {
  HostMemory memory(2);
  try {
    memory.allocate(std::size_t{1} << 50U, BufferKind::plain);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::refused);
    EXPECT_NE(error.message().find("1125899906842624"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("available"), std::string::npos);
  }
}

TEST(HostMemory, DividesTheHostAmongItsRanks) {
  const double whole = static_cast<double>(HostMemory(1).free_bytes());
  const double part = static_cast<double>(HostMemory(4).free_bytes());
  EXPECT_NEAR(part / whole, 0.25, 0.05);
}

}  // namespace

}  // namespace viaduct
