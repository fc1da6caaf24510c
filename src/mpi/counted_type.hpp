#pragma once
// A derived datatype of so many elements that their number does not fit into one count argument of
// MPI.

#include <mpi.h>

#include <cstddef>

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

}  // namespace viaduct
