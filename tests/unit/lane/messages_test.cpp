#include "lane/messages.hpp"

#include "lane/frame.hpp"
#include "sample_messages.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace viaduct {
namespace {

template <typename Tuple, std::size_t... I>
bool all_differ(const Tuple& left, const Tuple& right, std::index_sequence<I...> /*indices*/) {
  return ((std::get<I>(left) != std::get<I>(right)) && ...);
}

/// A sample that leaves a field at its default would pass although the field is never sent.
template <typename Message>
void expect_no_default(const Message& message) {
  const Message defaults{};
  const auto fields = tie_fields(message);
  constexpr std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(fields)>>> indices;
  EXPECT_TRUE(all_differ(fields, tie_fields(defaults), indices));
}

template <typename Variant>
void expect_same(const Variant& sent, const Variant& received) {
  ASSERT_EQ(sent.index(), received.index());
  std::visit(
      [&](const auto& message) {
        using Message = std::decay_t<decltype(message)>;
        EXPECT_TRUE(tie_fields(message) == tie_fields(std::get<Message>(received)));
        expect_no_default(message);
      },
      sent);
}

Reply through_wire(const Reply& reply) {
  return decode_reply(encode(reply));
}

TEST(Messages, EveryRequestComesBackWithEveryField) {
  const auto samples = sample_requests();
  ASSERT_EQ(samples.size(), std::variant_size_v<Request>);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SCOPED_TRACE(phase(samples[i]));
    ASSERT_EQ(samples[i].index(), i);
    expect_same(samples[i], decode_request(encode(samples[i])));
  }
}

TEST(Messages, EveryReplyComesBackWithEveryField) {
  const auto samples = sample_replies();
  ASSERT_EQ(samples.size(), std::variant_size_v<Reply>);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SCOPED_TRACE(type_name(samples[i]));
    ASSERT_EQ(samples[i].index(), i);
    expect_same(samples[i], through_wire(samples[i]));
  }
}

TEST(Messages, NotCheckedStaysNotChecked) {
  const Reply open = through_wire(OpenResult{});
  EXPECT_FALSE(std::get<OpenResult>(open).wrong.has_value());
  const Reply zero = through_wire(OpenResult{0U, 0, "", ""});
  EXPECT_EQ(std::get<OpenResult>(zero).wrong, 0U);
  const Reply batch = through_wire(BatchResult{});
  EXPECT_FALSE(std::get<BatchResult>(batch).wrong.has_value());
  EXPECT_TRUE(std::get<BatchResult>(batch).samples_us.empty());
}

TEST(Messages, SamplesComeBackToTheBit) {
  using Limits = std::numeric_limits<double>;
  BatchResult sent;
  sent.samples_us = {0.0, -0.0, 0.1, 0.5, 1.0 / 3.0, 16'777'217.0, 1e-300, 9'007'199'254'740'993.0};
  for (const double edge :
       {Limits::min(), Limits::max(), Limits::denorm_min(), Limits::infinity()}) {
    sent.samples_us.push_back(edge);
    sent.samples_us.push_back(-edge);
  }
  std::mt19937_64 random(3);
  while (sent.samples_us.size() < 5000) {
    const auto value = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    sent.samples_us.push_back(value);
  }
  const Reply reply = through_wire(sent);
  const auto& received = std::get<BatchResult>(reply).samples_us;
  ASSERT_EQ(received.size(), sent.samples_us.size());
  for (std::size_t i = 0; i < received.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(received[i]),
              std::bit_cast<std::uint64_t>(sent.samples_us[i]))
        << "sample " << i << " was " << sent.samples_us[i];
  }
}

TEST(Messages, NotANumberStaysThat) {
  InitReply sent;
  sent.seconds = std::nan("");
  const Reply reply = through_wire(sent);
  EXPECT_TRUE(std::isnan(std::get<InitReply>(reply).seconds));
}

TEST(Messages, IntegersComeBackAtTheirLimits) {
  const Request request = decode_request(encode(Request(HelloRequest{
      std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), Engine::nccl})));
  EXPECT_EQ(std::get<HelloRequest>(request).version, std::numeric_limits<int>::min());
  EXPECT_EQ(std::get<HelloRequest>(request).local_rank, std::numeric_limits<int>::max());
  InitReply sent;
  sent.free_bytes = std::numeric_limits<std::uint64_t>::max();
  const Reply reply = through_wire(sent);
  EXPECT_EQ(std::get<InitReply>(reply).free_bytes, sent.free_bytes);
}

template <typename Set>
void expect_case_survives(const Set& set) {
  DescribeRequest sent;
  set(sent);
  const Request received = decode_request(encode(Request(sent)));
  EXPECT_TRUE(tie_fields(sent) == tie_fields(std::get<DescribeRequest>(received)));
}

TEST(Messages, EveryEnumeratorComesBack) {
  for (const Datatype type : all_datatypes()) {
    expect_case_survives([&](DescribeRequest& request) { request.c.datatype = type; });
  }
  for (const ReduceOp op : all_reduce_ops()) {
    expect_case_survives([&](DescribeRequest& request) { request.c.reduction = op; });
  }
  for (const Mode mode : {Mode::graph, Mode::stream, Mode::each}) {
    expect_case_survives([&](DescribeRequest& request) { request.c.mode = mode; });
  }
  using enum ErrorKind;
  for (const ErrorKind kind : {internal, io, usage, refused, lost, mpi, cuda, nccl, interrupted}) {
    const Reply reply = through_wire(Failure{kind, "x"});
    EXPECT_EQ(std::get<Failure>(reply).kind, kind);
  }
}

TEST(Messages, EveryLargeReplyFitsIntoAFrame) {
  BatchResult sent;
  sent.samples_us.assign(2'500'000, 1.0 / 3.0);
  const auto document = encode(Reply(sent));
  EXPECT_GE(document.size(), 20'000'000U);
  EXPECT_LE(document.size(), max_frame_bytes);
  EXPECT_TRUE(std::get<BatchResult>(decode_reply(document)).samples_us == sent.samples_us);
}

TEST(Messages, PhasesAreTheWordsOfTheProtocol) {
  std::string words;
  for (const Request& request : sample_requests()) {
    words += std::string(phase(request)) + " ";
  }
  EXPECT_EQ(words, "hello make_id init describe open batch close quit ");
}

}  // namespace
}  // namespace viaduct
