#pragma once
// One of each message with every field away from its default, and each as a tuple. A field that is
// added to a message does not compile here until it is added to the samples too.

#include "lane/messages.hpp"

#include <tuple>
#include <vector>

namespace viaduct {

inline auto tie_fields(const HelloRequest& value) {
  const auto& [a, b, c] = value;
  return std::tie(a, b, c);
}

inline auto tie_fields(const HelloReply& value) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
}

inline auto tie_fields(const MakeIdReply& value) {
  const auto& [a] = value;
  return std::tie(a);
}

inline auto tie_fields(const InitRequest& value) {
  const auto& [a, b, c, d, e, f, g] = value;
  return std::tie(a, b, c, d, e, f, g);
}

inline auto tie_fields(const InitReply& value) {
  const auto& [a, b, c] = value;
  return std::tie(a, b, c);
}

inline auto tie_fields(const Case& value) {
  const auto& [a, b, c, d, e, f, g, h, i, j] = value;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}

inline auto tie_fields(const DescribeRequest& value) {
  const auto& [a, b, c] = value;
  return std::tuple_cat(tie_fields(a), std::tie(b, c));
}

inline auto tie_fields(const OpenSpec& value) {
  const auto& [a, b, c, d, e, f, g] = value;
  return std::tuple_cat(tie_fields(a), std::tie(b, c, d, e, f, g));
}

inline auto tie_fields(const BatchSpec& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}

inline auto tie_fields(const OpenRequest& value) {
  const auto& [a] = value;
  return tie_fields(a);
}

inline auto tie_fields(const BatchRequest& value) {
  const auto& [a] = value;
  return tie_fields(a);
}

inline auto tie_fields(const CaseDescription& value) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}

inline auto tie_fields(const OpenResult& value) {
  const auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}

inline auto tie_fields(const BatchResult& value) {
  const auto& [a, b, c, d, e, f] = value;
  return std::tie(a, b, c, d, e, f);
}

inline auto tie_fields(const Failure& value) {
  const auto& [a, b] = value;
  return std::tie(a, b);
}

template <typename Empty>
requires std::is_empty_v<Empty>

auto tie_fields(const Empty& /*value*/) {
  return std::tuple<>();
}

inline Case sample_case() {
  return {"all_gather",
          5'000'000'000U,
          Datatype::bfloat16,
          ReduceOp::max,
          3,
          Placement::in_place,
          Mode::each,
          Traffic{"matrix.txt", {0.5, 1.0, 2.0, 0.0}},
          64,
          CopyEnds{2, 5}};
}

inline std::vector<Request> sample_requests() {
  return {HelloRequest{-7, 5, Engine::copy},
          MakeIdRequest{},
          InitRequest{"00ff", 6, 8, "0-3,8", Method::nccl_tests, 2, 5},
          DescribeRequest{
              sample_case(), BufferSpec{BufferKind::symmetric, 4, true}, Method::nccl_tests},
          OpenRequest{{sample_case(),
                       ~std::uint64_t{0},
                       9,
                       BufferSpec{BufferKind::nccl, 8, true},
                       Method::nccl_tests,
                       77,
                       false}},
          BatchRequest{{20, 30, 40, true}},
          CloseRequest{},
          QuitRequest{}};
}

inline std::vector<Reply> sample_replies() {
  return {HelloReply{11,
                     2,
                     1,
                     "H200",
                     "GPU-1",
                     "0000:1b:00.0",
                     150'000'000'000U,
                     22809,
                     22803,
                     13000,
                     12080,
                     "0-47",
                     "0000:1b:00.0;-"},
          MakeIdReply{"a0b1"},
          InitReply{"4-7", 140'000'000'000U, 1.25},
          CaseDescription{1,
                          2,
                          0.5,
                          1.75,
                          0.25,
                          6.0,
                          3,
                          4,
                          5,
                          true,
                          true,
                          true,
                          true,
                          2,
                          "bfloat16 is not there",
                          "mpi"},
          OpenResult{12U, 345.678, "cudaMalloc", "none"},
          BatchResult{{10.1, 1.0 / 3.0, 7.0}, 13U, 14, "timed", 9876.5, {1.5, 2.25}},
          Done{},
          Failure{ErrorKind::nccl, "unhandled cuda error"}};
}

}  // namespace viaduct
