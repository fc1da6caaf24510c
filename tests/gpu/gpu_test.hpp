#pragma once
// A test that needs a GPU: takes the first one, or skips with the reason. Holds what most of them
// need.

#include "core/datatype.hpp"
#include "core/error.hpp"
#include "cuda/cuda_error.hpp"
#include "cuda/device.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/handles.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ostream>
#include <vector>

namespace viaduct {

/// For the names that the test program prints.
inline void PrintTo(Datatype type, std::ostream* out) {
  *out << name(type);
}

/// Why GPU tests cannot run here; "" when they can.
inline std::string why_no_gpu() {
  try {
    return visible_devices() > 0 ? "" : "no GPU is visible";
  } catch (const Error& error) {
    return error.message();
  }
}

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
    use_device(0);
    stream_ = make_stream();
    memory_.emplace(stream_.get(), LibraryAllocators{library_, library_, library_});
  }

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

  DeviceMemory& memory() { return *memory_; }

  /// Waits for the stream first.
  std::vector<unsigned char> read(const void* at, std::size_t bytes) {
    std::vector<unsigned char> host(bytes);
    check(cudaMemcpyAsync(host.data(), at, bytes, cudaMemcpyDeviceToHost, stream()),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
    return host;
  }

  void write(void* at, const std::vector<unsigned char>& host) {
    check(cudaMemcpyAsync(at, host.data(), host.size(), cudaMemcpyHostToDevice, stream()),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
  }

 private:
  CudaAllocator library_;
  StreamHandle stream_;
  std::optional<DeviceMemory> memory_;
};

}  // namespace viaduct
