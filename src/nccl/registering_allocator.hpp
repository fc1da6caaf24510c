#pragma once
// Memory from ncclMemAlloc that is made known to one communicator: by ncclCommRegister, as
// nccl-tests does with -R 1, or as a symmetric window, as with -R 2.

#include "nccl/nccl_allocator.hpp"
#include "nccl/nccl_comm.hpp"
#include "nccl/nccl_library.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace viaduct {

enum class Registration { local, symmetric_window };

/// A symmetric window is made by all ranks together: every rank allocates equally many bytes in the
/// same order, and releases in the same order.
class RegisteringAllocator : public DeviceAllocator {
 public:
  /// The communicator outlives this.
  RegisteringAllocator(const NcclLibrary& library, NcclComm& comm, Registration registration)
      : library_(library),
        comm_(comm),
        kind_(registration),
        memory_(library) {}

  [[nodiscard]] std::string name() const override { return memory_.name(); }

  [[nodiscard]] std::string registration() const override;

  /// The library is too old for the call, or a variable of this process forbids it.
  [[nodiscard]] std::string why_not() const override;

  /// Throws Error(nccl) also when the library takes the memory but makes no window of it.
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;

 private:
  void* make_known(void* memory, std::size_t bytes);
  void forget(void* handle) noexcept;

  NcclLibrary library_;
  NcclComm& comm_;
  Registration kind_;
  NcclAllocator memory_;
  std::map<void*, void*> handles_;  ///< of each allocation
};

}  // namespace viaduct
