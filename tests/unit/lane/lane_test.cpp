#include "lane/lane.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace viaduct {
namespace {

/// Answers every request with one reply and notes what it was asked.
class OneReplyLane : public Lane {
 public:
  explicit OneReplyLane(Reply reply) : reply_(std::move(reply)) {}

  [[nodiscard]] const std::string& path() const override { return path_; }

  void start(const Request& request) override { asked += std::string(phase(request)) + " "; }

  Reply finish(Deadline deadline, const Abandon& abandon) override {
    seconds_left = deadline.seconds_left();
    was_abandoned = abandon();
    return reply_;
  }

  void kill() noexcept override {}

  [[nodiscard]] bool is_alive() const override { return true; }

  std::string asked;
  double seconds_left = 0;
  bool was_abandoned = false;

 private:
  std::string path_ = "direct";
  Reply reply_;
};

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error(ErrorKind::internal, "");
}

TEST(Call, StartsAndFinishes) {
  OneReplyLane lane(MakeIdReply{"abc"});
  const Reply reply = call(lane, MakeIdRequest{}, Deadline::after(50), [] { return true; });
  EXPECT_EQ(expect<MakeIdReply>(reply).id, "abc");
  EXPECT_EQ(lane.asked, "make_id ");
  EXPECT_NEAR(lane.seconds_left, 50, 5);
  EXPECT_TRUE(lane.was_abandoned);
}

TEST(Call, ThrowsAFailureAsErrorOfItsKind) {
  OneReplyLane lane(Failure{ErrorKind::cuda, "out of memory"});
  const Error error =
      error_of([&] { call(lane, BatchRequest{}, Deadline::after(1), [] { return false; }); });
  EXPECT_EQ(error.kind(), ErrorKind::cuda);
  EXPECT_EQ(error.message(), "out of memory");
}

TEST(Expect, ThrowsAFailureAsErrorOfItsKind) {
  const Reply reply = Failure{ErrorKind::nccl, "unhandled system error"};
  const Error error = error_of([&] { expect<Done>(reply); });
  EXPECT_EQ(error.kind(), ErrorKind::nccl);
  EXPECT_EQ(error.message(), "unhandled system error");
}

TEST(Expect, NamesTheReplyThatCameInstead) {
  const Reply reply = InitReply{};
  const Error error = error_of([&] { expect<BatchResult>(reply); });
  EXPECT_EQ(error.kind(), ErrorKind::lost);
  EXPECT_NE(error.message().find("'init'"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace viaduct
