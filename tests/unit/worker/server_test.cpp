#include "worker/server.hpp"

#include "lane/frame.hpp"
#include "worker/descriptor.hpp"
#include "worker_fixture.hpp"

#include <array>
#include <future>
#include <stdexcept>
#include <sys/socket.h>

namespace viaduct {
namespace {

/// Writes down what it was asked for.
class NotingEngine : public WorkerEngine {
 public:
  HelloReply hello(const HelloRequest& request) override {
    notes += "hello " + std::to_string(request.local_rank) + ";";
    HelloReply reply;
    reply.gpu_name = "noted";
    return reply;
  }

  MakeIdReply make_id() override {
    notes += "make_id;";
    return {"id"};
  }

  InitReply init(const InitRequest& request) override {
    notes += "init " + request.id + ";";
    return {};
  }

  CaseDescription describe(const DescribeRequest& request) override {
    notes += "describe " + request.c.operation + ";";
    return {};
  }

  OpenResult open(const OpenSpec& spec) override {
    notes += "open " + std::to_string(spec.slots) + ";";
    throw Error(ErrorKind::cuda, "no memory");
  }

  BatchResult batch(const BatchSpec& spec) override {
    notes += "batch " + std::to_string(spec.operations) + ";";
    throw std::out_of_range("index");
  }

  void close_case() override { notes += "close;"; }

  std::string notes;
};

/// The rank's end of a server that runs in a thread of the test.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours_ = Descriptor(ends[0]);
    theirs_ = Descriptor(ends[1]);
    const timeval patience{20, 0};
    ASSERT_EQ(::setsockopt(ours_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    status_ = std::async(std::launch::async, [this] { return serve(theirs_.get(), engine_); });
  }

  /// The server's end of file, should a test have left it serving.
  void TearDown() override { ::shutdown(ours_.get(), SHUT_RDWR); }

  void send(const std::vector<std::uint8_t>& bytes) {
    ASSERT_EQ(::send(ours_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), ssize_t(bytes.size()));
  }

  Reply receive() {
    std::array<std::uint8_t, 4096> piece{};
    while (true) {
      if (const auto document = reader_.next()) {
        return decode_reply(*document);
      }
      const ssize_t got = ::recv(ours_.get(), piece.data(), piece.size(), 0);
      if (got <= 0) {
        throw Error(ErrorKind::lost, "no reply came");
      }
      reader_.append(std::span(piece.data(), static_cast<std::size_t>(got)));
    }
  }

  Reply ask(const Request& request) {
    send(make_frame(encode(request)));
    return receive();
  }

  int status() {
    if (status_.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
      ADD_FAILURE() << "the server still serves";
      ::shutdown(ours_.get(), SHUT_RDWR);
    }
    return status_.get();
  }

  NotingEngine engine_;
  Descriptor ours_;
  Descriptor theirs_;
  FrameReader reader_;
  std::future<int> status_;
};

TEST_F(ServerTest, AsksTheEngineForEachRequest) {
  const Reply hello = ask(HelloRequest{protocol_version, 6});
  EXPECT_EQ(expect<HelloReply>(hello).gpu_name, "noted");
  const Reply id = ask(MakeIdRequest{});
  EXPECT_EQ(expect<MakeIdReply>(id).id, "id");
  InitRequest init;
  init.id = "abc";
  EXPECT_TRUE(std::holds_alternative<InitReply>(ask(init)));
  DescribeRequest describe;
  describe.c.operation = "sendrecv";
  EXPECT_TRUE(std::holds_alternative<CaseDescription>(ask(describe)));
  EXPECT_TRUE(std::holds_alternative<Done>(ask(CloseRequest{})));
  EXPECT_TRUE(std::holds_alternative<Done>(ask(QuitRequest{})));
  EXPECT_EQ(status(), 0);
  EXPECT_EQ(engine_.notes, "hello 6;make_id;init abc;describe sendrecv;close;");
}

TEST_F(ServerTest, AnswersExceptionsByFailures) {
  OpenRequest open;
  open.spec.slots = 4;
  const Reply cuda = ask(open);
  ASSERT_TRUE(std::holds_alternative<Failure>(cuda));
  EXPECT_EQ(std::get<Failure>(cuda).kind, ErrorKind::cuda);
  EXPECT_EQ(std::get<Failure>(cuda).message, "no memory");
  const Reply standard = ask(BatchRequest{});
  ASSERT_TRUE(std::holds_alternative<Failure>(standard));
  EXPECT_EQ(std::get<Failure>(standard).kind, ErrorKind::internal);
  EXPECT_EQ(std::get<Failure>(standard).message, "index");
  EXPECT_EQ(engine_.notes, "open 4;batch 1;");
}

TEST_F(ServerTest, TakesARequestInPieces) {
  const auto frame = make_frame(encode(Request(MakeIdRequest{})));
  for (const std::uint8_t byte : frame) {
    send({byte});
  }
  EXPECT_TRUE(std::holds_alternative<MakeIdReply>(receive()));
}

TEST_F(ServerTest, AnswersRequestsThatCameTogether) {
  auto frames = make_frame(encode(Request(CloseRequest{})));
  const auto second = make_frame(encode(Request(MakeIdRequest{})));
  frames.insert(frames.end(), second.begin(), second.end());
  send(frames);
  EXPECT_TRUE(std::holds_alternative<Done>(receive()));
  EXPECT_TRUE(std::holds_alternative<MakeIdReply>(receive()));
}

TEST_F(ServerTest, EndsWithOneAfterGarbage) {
  send(std::vector<std::uint8_t>(16, 0xFF));
  const Reply reply = receive();
  ASSERT_TRUE(std::holds_alternative<Failure>(reply));
  EXPECT_EQ(std::get<Failure>(reply).kind, ErrorKind::lost);
  expect_contains(std::get<Failure>(reply).message, "the worker got no request: a frame says");
  EXPECT_EQ(status(), 1);
}

TEST_F(ServerTest, EndsWithOneAfterAFrameThatIsNoRequest) {
  send(make_frame(encode(Reply(Failure{ErrorKind::io, "x"}))));
  const Reply reply = receive();
  expect_contains(std::get<Failure>(reply).message, "unknown type 'failure'");
  EXPECT_EQ(status(), 1);
  EXPECT_EQ(engine_.notes, "");
}

TEST_F(ServerTest, EndsWithZeroAtEndOfFile) {
  ask(MakeIdRequest{});
  ours_.close();
  EXPECT_EQ(status(), 0);
}

TEST_F(ServerTest, EndsWithOneInTheMiddleOfARequest) {
  send({20, 0, 0, 0, 1});
  ours_.close();
  EXPECT_EQ(status(), 1);
}

}  // namespace
}  // namespace viaduct
