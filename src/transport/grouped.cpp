#include "transport/grouped.hpp"

namespace viaduct::grouped {

namespace {

const unsigned char* advance(const void* at, std::size_t bytes) {
  return static_cast<const unsigned char*>(at) + bytes;
}

unsigned char* advance(void* at, std::size_t bytes) {
  return static_cast<unsigned char*>(at) + bytes;
}

std::size_t block_start(std::size_t count, Datatype type, int rank) {
  return count * element_bytes(type) * static_cast<std::size_t>(rank);
}

}  // namespace

void gather(Transport& transport,
            const void* send,
            void* recv,
            std::size_t count,
            Datatype type,
            int root) {
  const bool is_root = transport.rank() == root;
  // The root's own block is there already when it works in place.
  const bool stays = is_root && send == advance(recv, block_start(count, type, root));
  transport.group_begin();
  if (!stays) {
    transport.send(send, count, type, root);
  }
  for (int peer = 0; is_root && peer < transport.size(); ++peer) {
    if (peer != root || !stays) {
      transport.recv(advance(recv, block_start(count, type, peer)), count, type, peer);
    }
  }
  transport.group_end();
}

void scatter(Transport& transport,
             const void* send,
             void* recv,
             std::size_t count,
             Datatype type,
             int root) {
  const bool is_root = transport.rank() == root;
  const bool stays = is_root && recv == advance(send, block_start(count, type, root));
  transport.group_begin();
  for (int peer = 0; is_root && peer < transport.size(); ++peer) {
    if (peer != root || !stays) {
      transport.send(advance(send, block_start(count, type, peer)), count, type, peer);
    }
  }
  if (!stays) {
    transport.recv(recv, count, type, root);
  }
  transport.group_end();
}

void alltoall(
    Transport& transport, const void* send, void* recv, std::size_t count, Datatype type) {
  transport.group_begin();
  for (int peer = 0; peer < transport.size(); ++peer) {
    const std::size_t start = block_start(count, type, peer);
    transport.send(advance(send, start), count, type, peer);
    transport.recv(advance(recv, start), count, type, peer);
  }
  transport.group_end();
}

void alltoallv(Transport& transport,
               const void* send,
               void* recv,
               const ExchangeBlocks& blocks,
               Datatype type) {
  const std::size_t element = element_bytes(type);
  transport.group_begin();
  for (int peer = 0; peer < transport.size(); ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    if (blocks.send_counts[at] != 0) {
      const void* block = advance(send, blocks.send_offsets[at] * element);
      transport.send(block, blocks.send_counts[at], type, peer);
    }
    if (blocks.recv_counts[at] != 0) {
      void* block = advance(recv, blocks.recv_offsets[at] * element);
      transport.recv(block, blocks.recv_counts[at], type, peer);
    }
  }
  transport.group_end();
}

}  // namespace viaduct::grouped
