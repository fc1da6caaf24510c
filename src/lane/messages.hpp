#pragma once
// What a rank asks of its end of a lane, and the answers. The protocol between viaduct-rank and
// viaduct-worker.
//
// Order of a life: Hello, [MakeId on the first rank of a communicator], Init, then for each case
// Describe, Open, Batch..., Close; again from MakeId for another communicator; Quit at the end.
// Every request gets exactly one reply: its own type, or Failure. After a Failure of kind nccl or
// cuda the lane is dead.

#include "core/batch_spec.hpp"
#include "core/error.hpp"
#include "core/path_spec.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace viaduct {

constexpr int protocol_version = 3;

/// First request. The worker picks its GPU: `local_rank` among the visible ones, or the only
/// visible one.
struct HelloRequest {
  int version = protocol_version;
  int local_rank = 0;
  Engine engine = Engine::nccl;
};

struct HelloReply {
  int pid = 0;
  int visible_gpus = 0;
  int device = -1;
  std::string gpu_name;
  std::string gpu_uuid;
  std::string bus_id;
  std::uint64_t total_bytes = 0;
  int nccl_built = 0;
  int nccl_running = 0;
  int cuda_driver = 0;
  int cuda_runtime = 0;
  std::string cpus;           ///< CPU list the worker was started with
  std::string peer_access{};  ///< copy engine: to_text(PeerAccess); empty on the others
};

/// Asks the worker of rank 0 for a fresh ncclUniqueId.
struct MakeIdRequest {};

struct MakeIdReply {
  std::string id;  ///< hexadecimal
};

/// Sets the CPU mask of every thread, takes the CUDA context and joins the communicator. May come
/// again between cases: the communicator of before is left first, process and context stay.
struct InitRequest {
  std::string id;  ///< hexadecimal
  int rank = 0;
  int ranks = 1;     ///< of the communicator; 0: join none, this rank is idle
  std::string cpus;  ///< CPU list to run on; empty: leave as it is
  Method method = Method::viaduct;
  int max_p2p_peers = 0;  ///< nccl_tests with sendrecv from NCCL 2.30: 2; else 0 (leave)
  int group = -1;         ///< ranks with the same number join each other; -1: all of the launch
};

struct InitReply {
  std::string cpus;              ///< read back
  std::uint64_t free_bytes = 0;  ///< after the communicator is up
  double seconds = 0;
};

struct DescribeRequest {
  Case c;
  BufferSpec buffers{};
  Method method = Method::viaduct;
};

struct OpenRequest {
  OpenSpec spec;
};

struct BatchRequest {
  BatchSpec spec;
};

struct CloseRequest {};

struct QuitRequest {};

struct Done {};

/// The request could not be done. `message` is for the record.
struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
};

using Request = std::variant<HelloRequest,
                             MakeIdRequest,
                             InitRequest,
                             DescribeRequest,
                             OpenRequest,
                             BatchRequest,
                             CloseRequest,
                             QuitRequest>;

/// Close and Quit are answered by Done.
using Reply = std::variant<HelloReply,
                           MakeIdReply,
                           InitReply,
                           CaseDescription,
                           OpenResult,
                           BatchResult,
                           Done,
                           Failure>;

/// "hello", "init", "batch", ...: the phase named when a deadline passes.
const char* phase(const Request& request);

/// "hello", "batch", "done", "failure", ...: the word that names a reply in messages.
const char* type_name(const Reply& reply);

/// One CBOR document without the length prefix. decode_* throw Error(lost) that says what is wrong
/// with it.
std::vector<std::uint8_t> encode(const Request& request);
std::vector<std::uint8_t> encode(const Reply& reply);
Request decode_request(const std::vector<std::uint8_t>& document);
Reply decode_reply(const std::vector<std::uint8_t>& document);

}  // namespace viaduct
