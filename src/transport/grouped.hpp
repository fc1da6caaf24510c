#pragma once
// Operations made of sends and receives in one group: what a transport falls back on where its
// library has no such call. In place as the verbs of Transport, but for alltoall and alltoallv.

#include "transport/transport.hpp"

#include <cstddef>

namespace viaduct::grouped {

void gather(
    Transport& transport, const void* send, void* recv, std::size_t count, Datatype type, int root);

void scatter(
    Transport& transport, const void* send, void* recv, std::size_t count, Datatype type, int root);

void alltoall(Transport& transport, const void* send, void* recv, std::size_t count, Datatype type);

/// Blocks without elements are not sent.
void alltoallv(Transport& transport,
               const void* send,
               void* recv,
               const ExchangeBlocks& blocks,
               Datatype type);

}  // namespace viaduct::grouped
