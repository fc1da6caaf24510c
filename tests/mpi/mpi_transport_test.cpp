#include "mpi/mpi_transport.hpp"

#include "core/error.hpp"
#include "mpi/communicator.hpp"
#include "mpi/counted_type.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/mpi_types.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace viaduct {

namespace {

class MpiTransportTest : public testing::Test {
 protected:
  [[nodiscard]] std::string why_not(Datatype type, ReduceOp op, bool reduces = true) const {
    Case c;
    c.datatype = type;
    c.reduction = op;
    return transport_.why_not(c, reduces);
  }

  Communicator comm_{MPI_COMM_WORLD, Deadline::after(60)};
  MpiTransport transport_{comm_.get()};
};

TEST_F(MpiTransportTest, SaysWhichTypesItCannotReduce) {
  EXPECT_EQ(why_not(Datatype::float32, ReduceOp::sum), "");
  EXPECT_EQ(why_not(Datatype::uint64, ReduceOp::max), "");
  EXPECT_NE(why_not(Datatype::float16, ReduceOp::sum).find("float16"), std::string::npos);
  EXPECT_NE(why_not(Datatype::float32, ReduceOp::avg).find("avg"), std::string::npos);
}

TEST_F(MpiTransportTest, MovesEveryType) {
  for (const Datatype type : all_datatypes()) {
    EXPECT_EQ(why_not(type, ReduceOp::avg, false), "") << name(type);
    int bytes = 0;
    MPI_Type_size(moved_type(type), &bytes);
    EXPECT_EQ(static_cast<std::size_t>(bytes), element_bytes(type)) << name(type);
  }
}

TEST_F(MpiTransportTest, EveryReductionIsTheRightOne) {
  const int rank = transport_.rank();
  const int ranks = transport_.size();
  const auto reduced = [&](ReduceOp op) {
    const std::int64_t own = rank + 2;
    std::int64_t result = 0;
    transport_.all_reduce(&own, &result, 1, Datatype::int64, op);
    return result;
  };
  std::int64_t sum = 0;
  std::int64_t product = 1;
  for (int r = 0; r < ranks; ++r) {
    sum += r + 2;
    product *= r + 2;
  }
  EXPECT_EQ(reduced(ReduceOp::sum), sum);
  EXPECT_EQ(reduced(ReduceOp::prod), product);
  EXPECT_EQ(reduced(ReduceOp::min), 2);
  EXPECT_EQ(reduced(ReduceOp::max), ranks + 1);
}

TEST_F(MpiTransportTest, SendsOutsideAGroup) {
  const int rank = transport_.rank();
  std::vector<std::int32_t> data(10, rank);
  if (transport_.size() < 2 || rank > 1) {
    return;
  }
  if (rank == 0) {
    transport_.send(data.data(), data.size(), Datatype::int32, 1);
  } else {
    transport_.recv(data.data(), data.size(), Datatype::int32, 0);
  }
  EXPECT_EQ(data, std::vector<std::int32_t>(10, 0));
}

TEST_F(MpiTransportTest, NestedGroupsEndTogether) {
  const int rank = transport_.rank();
  std::int32_t first = -1;
  std::int32_t second = -1;
  transport_.group_begin();
  transport_.group_begin();
  transport_.send(&rank, 1, Datatype::int32, rank);
  transport_.send(&rank, 1, Datatype::int32, rank);
  transport_.group_end();
  transport_.recv(&first, 1, Datatype::int32, rank);
  transport_.recv(&second, 1, Datatype::int32, rank);
  transport_.group_end();
  EXPECT_EQ(first, rank);
  EXPECT_EQ(second, rank);
  EXPECT_THROW(transport_.group_end(), Error);
}

TEST_F(MpiTransportTest, ErrorOfMpiNamesTheCall) {
  const std::int32_t value = 1;
  try {
    transport_.send(&value, 1, Datatype::int32, transport_.size() + 5);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::mpi);
    EXPECT_NE(error.message().find("MPI_Send"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("rank"), std::string::npos) << error.message();
  }
}

TEST(CountedType, HoldsCountsThatNoArgumentHolds) {
  const std::size_t count = (std::size_t{5} << 30U) + 3;
  const CountedType type(count, MPI_FLOAT, MpiTransport::largest_count);
  MPI_Count bytes = 0;
  MPI_Type_size_x(type.get(), &bytes);
  EXPECT_EQ(static_cast<std::size_t>(bytes), 4 * count);
  MPI_Count low = 0;
  MPI_Count extent = 0;
  MPI_Type_get_extent_x(type.get(), &low, &extent);
  EXPECT_EQ(low, 0);
  EXPECT_EQ(static_cast<std::size_t>(extent), 4 * count);
}

TEST(CountedType, MovesEveryElementOnce) {
  for (const std::size_t count : {7U, 14U, 15U, 100U}) {
    const CountedType type(count, MPI_INT32_T, 7);
    std::vector<std::int32_t> sent(count);
    std::iota(sent.begin(), sent.end(), 1);
    std::vector<std::int32_t> received(count + 1, -1);
    MPI_Sendrecv(sent.data(),
                 1,
                 type.get(),
                 0,
                 0,
                 received.data(),
                 static_cast<int>(count),
                 MPI_INT32_T,
                 0,
                 0,
                 MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    EXPECT_EQ(received.back(), -1);
    received.pop_back();
    EXPECT_EQ(received, sent) << count;
  }
}

TEST(MpiSession, NamesTheLibraryShortly) {
  const std::string library = MpiSession::library();
  EXPECT_FALSE(library.empty());
  EXPECT_LT(library.size(), 60U) << library;
  EXPECT_EQ(library.find('\n'), std::string::npos);
  EXPECT_EQ(library.find(','), std::string::npos);
#ifdef OPEN_MPI
  EXPECT_EQ(library,
            "Open MPI " + std::to_string(OMPI_MAJOR_VERSION) + "." +
                std::to_string(OMPI_MINOR_VERSION) + "." + std::to_string(OMPI_RELEASE_VERSION));
#endif
}

}  // namespace

}  // namespace viaduct
