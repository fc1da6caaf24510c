#include "mpi/counted_type.hpp"

#include "mpi/mpi_session.hpp"

#include <array>

namespace viaduct {

namespace {

/// An intermediate type; a type built from it stays valid when it is freed.
class PartType {
 public:
  PartType(std::size_t count, MPI_Datatype element) {
    check(MPI_Type_contiguous(static_cast<int>(count), element, &type_), "MPI_Type_contiguous");
  }

  ~PartType() { MPI_Type_free(&type_); }

  PartType(const PartType&) = delete;
  PartType& operator=(const PartType&) = delete;

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

CountedType::CountedType(std::size_t count, MPI_Datatype element, std::size_t largest) {
  const std::size_t whole = count / largest;
  const std::size_t rest = count % largest;
  MPI_Aint low = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(element, &low, &extent), "MPI_Type_get_extent");
  const PartType block(largest, element);
  const PartType blocks(whole, block.get());
  const PartType tail(rest, element);
  const std::array<int, 2> counts{1, 1};
  const std::array<MPI_Aint, 2> starts{0, static_cast<MPI_Aint>(whole * largest) * extent};
  const std::array<MPI_Datatype, 2> types{blocks.get(), tail.get()};
  check(MPI_Type_create_struct(2, counts.data(), starts.data(), types.data(), &type_),
        "MPI_Type_create_struct");
  check(MPI_Type_commit(&type_), "MPI_Type_commit");
}

CountedType::~CountedType() {
  if (type_ != MPI_DATATYPE_NULL) {
    MPI_Type_free(&type_);
  }
}

}  // namespace viaduct
