#pragma once
// Blocks of so many elements that their number does not fit into one count argument of MPI.

#include <mpi.h>

#include <cstddef>
#include <optional>

namespace viaduct {

/// `count` elements of `element` one after another, as one element of get(). Freed with the object.
class CountedType {
 public:
  /// No count handed to MPI is above `largest`, which is at least 1.
  CountedType(std::size_t count, MPI_Datatype element, std::size_t largest);
  ~CountedType();

  CountedType(const CountedType&) = delete;
  CountedType& operator=(const CountedType&) = delete;

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// `count` elements as the two arguments that calls which move bytes take: plain wherever that can
/// be. MPI keeps a type that a message under way needs: the block may end before the message.
class CountedBlock {
 public:
  /// `blocks`: how many such blocks the call moves for one rank. MPI's own sums over them must not
  /// be above `largest` either.
  CountedBlock(std::size_t count,
               MPI_Datatype element,
               std::size_t largest,
               std::size_t blocks = 1) {
    if (count > largest / blocks) {
      derived_.emplace(count, element, largest);
      count_ = 1;
      type_ = derived_->get();
    } else {
      count_ = static_cast<int>(count);
      type_ = element;
    }
  }

  ~CountedBlock() = default;

  CountedBlock(const CountedBlock&) = delete;
  CountedBlock& operator=(const CountedBlock&) = delete;

  [[nodiscard]] int count() const { return count_; }

  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::optional<CountedType> derived_;
};

}  // namespace viaduct
