#pragma once
// The operations of the copy engine: who copies, which way, between which GPUs of a host. Values
// only; must not know CUDA.

#include "core/case.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// What moves the bytes. copy_engine: cudaMemcpyPeerAsync or cudaMemcpyAsync, done by a DMA engine.
/// kernel: loads and stores of SMs. flags: two kernels that answer each other.
enum class CopyAgent { copy_engine, kernel, flags };

/// write: the GPU that holds the data runs the copy (its stream, its SMs). read: the one that gets
/// it.
enum class CopyCall { write, read };

enum class CopyShape {
  one_way,         ///< from one GPU to another, or within one
  both_ways,       ///< both directions at once
  all_to_one,      ///< every other GPU to one
  one_to_all,      ///< one GPU to every other
  host_to_device,  ///< host memory to one GPU
  device_to_host,
  host_both_ways  ///< host to GPU and GPU to host at once
};

/// How bytes get from GPU to GPU: the path of the copy engine. peer: with peer access enabled.
/// driver: never enabled, so that the driver stages them in host memory. pinned: through
/// page-locked host memory of our own, chunk by chunk.
enum class CopyRoute { peer, driver, pinned };

/// The variable of a worker that says which.
constexpr const char* copy_route_variable = "VIADUCT_COPY_ROUTE";

const char* name(CopyRoute route);

/// Throws Error(usage) with the names.
CopyRoute parse_copy_route(std::string_view text);

/// What the samples are.
enum class CopyTiming {
  transfer,  ///< time of the copies on the GPU, launch cost hidden behind a spinning kernel
  enqueue    ///< time of the call on the host
};

struct CopyOperation {
  std::string_view name;
  CopyAgent agent = CopyAgent::copy_engine;
  CopyCall call = CopyCall::write;
  CopyShape shape = CopyShape::one_way;
  CopyTiming timing = CopyTiming::transfer;
  bool is_pageable = false;  ///< host memory that is not page-locked
  bool has_size = true;
  std::string_view summary;  ///< one sentence for `viaduct list copies`
};

/// In the order of `viaduct list copies`.
const std::vector<CopyOperation>& copy_operations();

/// nullptr when there is none.
const CopyOperation* find_copy_operation(std::string_view name);

std::vector<std::string> copy_operation_names();

/// Of the pairs that an operation serves both ways at once.
enum class PairOrder { lower_first, both };

/// The ends that the operation is measured between on a host of so many GPUs, in the order of a
/// matrix, rows the sender. Both ways and flags: each pair once, the lower GPU first; both ways in
/// both orders where `order` says so, as which GPU begins may matter to a loop that is not warm.
std::vector<CopyEnds> copy_ends(const CopyOperation& operation,
                                int gpus,
                                PairOrder order = PairOrder::lower_first);

/// One message of an operation.
struct CopyMessage {
  CopyEnds ends;  ///< `none` is host memory here
  int owner = 0;  ///< the GPU whose stream, copy engine or SMs move it
};

/// All that are under way at once; the first is the one that `ends` speaks of.
std::vector<CopyMessage> copy_messages(const CopyOperation& operation,
                                       const CopyEnds& ends,
                                       int gpus);

/// Messages that are under way at once, each of S bytes: algbw = this times S / t.
int copies_at_once(const CopyOperation& operation, int gpus);

}  // namespace viaduct
