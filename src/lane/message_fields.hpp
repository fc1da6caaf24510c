#pragma once
// The keys of every message, each written once: encoding and decoding walk the same list. Nothing
// of CBOR.

#include "lane/messages.hpp"

#include <concepts>
#include <type_traits>

namespace viaduct {

/// T or const T: a writer walks constant values, a reader fills them.
template <typename V, typename T>
concept EitherConst = std::same_as<std::remove_const_t<V>, T>;

template <typename Archive, EitherConst<Traffic> V>
void fields(Archive& archive, V& traffic) {
  archive("name", traffic.name);
  archive("weights", traffic.weights);
}

template <typename Archive, EitherConst<BufferSpec> V>
void fields(Archive& archive, V& spec) {
  archive("kind", spec.kind);
  archive("offset_bytes", spec.offset_bytes);
  archive("shares_window", spec.shares_window);
}

template <typename Archive, EitherConst<CopyEnds> V>
void fields(Archive& archive, V& ends) {
  archive("from", ends.from);
  archive("to", ends.to);
}

template <typename Archive, EitherConst<Case> V>
void fields(Archive& archive, V& c) {
  archive("operation", c.operation);
  archive("size_bytes", c.size_bytes);
  archive("datatype", c.datatype);
  archive("reduction", c.reduction);
  archive("root", c.root);
  archive("placement", c.placement);
  archive("mode", c.mode);
  archive("traffic", c.traffic);
  archive("window", c.window);
  archive("ends", c.ends);
}

template <typename Archive, EitherConst<OpenSpec> V>
void fields(Archive& archive, V& spec) {
  archive("case", spec.c);
  archive("seed", spec.seed);
  archive("slots", spec.slots);
  archive("buffers", spec.buffers);
  archive("method", spec.method);
  archive("max_bytes", spec.max_bytes);
  archive("check", spec.check);
}

template <typename Archive, EitherConst<BatchSpec> V>
void fields(Archive& archive, V& spec) {
  archive("operations", spec.operations);
  archive("replays", spec.replays);
  archive("lead_in_operations", spec.lead_in_operations);
  archive("checked", spec.checked);
}

template <typename Archive, EitherConst<HelloRequest> V>
void fields(Archive& archive, V& request) {
  archive("version", request.version);
  archive("local_rank", request.local_rank);
  archive("engine", request.engine);
}

template <typename Archive, EitherConst<InitRequest> V>
void fields(Archive& archive, V& request) {
  archive("id", request.id);
  archive("rank", request.rank);
  archive("ranks", request.ranks);
  archive("cpus", request.cpus);
  archive("method", request.method);
  archive("max_p2p_peers", request.max_p2p_peers);
  archive("group", request.group);
}

template <typename Archive, EitherConst<DescribeRequest> V>
void fields(Archive& archive, V& request) {
  archive("case", request.c);
  archive("buffers", request.buffers);
  archive("method", request.method);
}

template <typename Archive, EitherConst<OpenRequest> V>
void fields(Archive& archive, V& request) {
  archive("spec", request.spec);
}

template <typename Archive, EitherConst<BatchRequest> V>
void fields(Archive& archive, V& request) {
  archive("spec", request.spec);
}

template <typename V>
concept WithoutFields = EitherConst<V, MakeIdRequest> || EitherConst<V, CloseRequest> ||
    EitherConst<V, QuitRequest> || EitherConst<V, Done>;

template <typename Archive, WithoutFields V>
void fields(Archive& /*archive*/, V& /*message*/) {}

template <typename Archive, EitherConst<HelloReply> V>
void fields(Archive& archive, V& reply) {
  archive("pid", reply.pid);
  archive("visible_gpus", reply.visible_gpus);
  archive("device", reply.device);
  archive("gpu_name", reply.gpu_name);
  archive("gpu_uuid", reply.gpu_uuid);
  archive("bus_id", reply.bus_id);
  archive("total_bytes", reply.total_bytes);
  archive("nccl_built", reply.nccl_built);
  archive("nccl_running", reply.nccl_running);
  archive("cuda_driver", reply.cuda_driver);
  archive("cuda_runtime", reply.cuda_runtime);
  archive("cpus", reply.cpus);
  archive("peer_access", reply.peer_access);
}

template <typename Archive, EitherConst<MakeIdReply> V>
void fields(Archive& archive, V& reply) {
  archive("id", reply.id);
}

template <typename Archive, EitherConst<InitReply> V>
void fields(Archive& archive, V& reply) {
  archive("cpus", reply.cpus);
  archive("free_bytes", reply.free_bytes);
  archive("seconds", reply.seconds);
}

template <typename Archive, EitherConst<CaseDescription> V>
void fields(Archive& archive, V& reply) {
  archive("size_bytes", reply.size_bytes);
  archive("count", reply.count);
  archive("alg_factor", reply.alg_factor);
  archive("bus_factor", reply.bus_factor);
  archive("time_share", reply.time_share);
  archive("messages", reply.messages);
  archive("fixed_bytes", reply.fixed_bytes);
  archive("slot_bytes", reply.slot_bytes);
  archive("free_bytes", reply.free_bytes);
  archive("reduces", reply.reduces);
  archive("has_root", reply.has_root);
  archive("has_traffic", reply.has_traffic);
  archive("is_pairwise", reply.is_pairwise);
  archive("tolerance_ulp", reply.tolerance_ulp);
  archive("skip_reason", reply.skip_reason);
  archive("legs", reply.legs);
}

template <typename Archive, EitherConst<OpenResult> V>
void fields(Archive& archive, V& reply) {
  archive("wrong", reply.wrong);
  archive("first_operation_us", reply.first_operation_us);
  archive("allocator", reply.allocator);
  archive("registration", reply.registration);
}

template <typename Archive, EitherConst<BatchResult> V>
void fields(Archive& archive, V& reply) {
  archive("samples_us", reply.samples_us);
  archive("wrong", reply.wrong);
  archive("checked_operations", reply.checked_operations);
  archive("checked", reply.checked);
  archive("wall_us", reply.wall_us);
  archive("legs_us", reply.legs_us);
}

template <typename Archive, EitherConst<Failure> V>
void fields(Archive& archive, V& reply) {
  archive("kind", reply.kind);
  archive("message", reply.message);
}

}  // namespace viaduct
