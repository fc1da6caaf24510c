// What is taken from a worker before it is killed: the names of its shared memory, and the word of
// its NCCL's own watch.
#include "worker/ras_client.hpp"
#include "worker/shared_files.hpp"
#include "worker_fixture.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <fstream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace viaduct {
namespace {

constexpr double patience_s = 20;

/// Listens on a port of this host, takes one caller, answers with a text and closes.
class FakeRas {
 public:
  enum class Manner { answers, keeps_silent, holds_on };

  FakeRas(std::string text, Manner manner) : text_(std::move(text)), manner_(manner) {
    socket_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_.get(), name, length), 0);
    EXPECT_EQ(::listen(socket_.get(), 1), 0);
    EXPECT_EQ(::getsockname(socket_.get(), name, &length), 0);
    port_ = ntohs(address.sin_port);
    if (manner_ != Manner::keeps_silent) {
      thread_ = std::thread([this] { serve(); });
    }
  }

  ~FakeRas() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  FakeRas(const FakeRas&) = delete;
  FakeRas& operator=(const FakeRas&) = delete;

  [[nodiscard]] std::string address() const { return "localhost:" + std::to_string(port_); }

  /// After the call.
  [[nodiscard]] const std::string& asked() {
    thread_.join();
    return asked_;
  }

 private:
  void serve() {
    caller_ = Descriptor(::accept(socket_.get(), nullptr, nullptr));
    const std::string end = "STATUS\n";
    char byte = 0;
    while (!asked_.ends_with(end) && ::recv(caller_.get(), &byte, 1, 0) == 1) {
      asked_ += byte;
    }
    for (const char c : text_) {  // torn into its bytes, as TCP may do
      ::send(caller_.get(), &c, 1, MSG_NOSIGNAL);
    }
    if (manner_ == Manner::answers) {
      caller_.close();
    }
  }

  std::string text_;
  Manner manner_;
  Descriptor socket_;
  Descriptor caller_;
  int port_ = 0;
  std::string asked_;
  std::thread thread_;
};

const std::string status_text =
    "SERVER PROTOCOL 2\nOK\nNCCL version 2.28.3\n\nJob summary\n===========\n\n  Nodes\n      1\n\n"
    "Errors\n======\n\nINCOMPLETE\n  Missing communicator data from 1 job process\n\n"
    "Warnings\n========\n\nTIMEOUT\n";

TEST(AskRas, SpeaksItsProtocol) {
  FakeRas ras(status_text, FakeRas::Manner::answers);
  const std::string text = ask_ras(ras.address(), Deadline::after(patience_s));
  EXPECT_EQ(text, status_text.substr(std::string("SERVER PROTOCOL 2\nOK\n").size()));
  EXPECT_EQ(ras.asked(), "CLIENT PROTOCOL 2\nTIMEOUT 1\nSTATUS\n");
}

TEST(AskRas, TakesWhatCameByTheDeadline) {
  FakeRas ras("SERVER PROTOCOL 2\nOK\nJob summary\n", FakeRas::Manner::holds_on);
  EXPECT_EQ(ask_ras(ras.address(), Deadline::after(0.3)), "Job summary\n");
}

TEST(AskRas, SaysNothingWhereNobodyAnswers) {
  const auto begin = Deadline::Clock::now();
  {
    FakeRas silent("", FakeRas::Manner::keeps_silent);
    EXPECT_EQ(ask_ras(silent.address(), Deadline::after(0.3)), "");
  }
  EXPECT_LT(Deadline::Clock::now() - begin, std::chrono::seconds(2));
  std::string free_address;
  {
    const FakeRas gone("", FakeRas::Manner::keeps_silent);
    free_address = gone.address();
  }
  EXPECT_EQ(ask_ras(free_address, Deadline::after(patience_s)), "");
  for (const char* address : {"", "localhost", "localhost:", "localhost:0", "localhost:x"}) {
    EXPECT_EQ(ask_ras(address, Deadline::after(patience_s)), "") << address;
  }
}

TEST(AskRas, DoesNotTakeAnotherServersWord) {
  FakeRas other("HTTP/1.1 400 Bad Request\n", FakeRas::Manner::answers);
  EXPECT_EQ(ask_ras(other.address(), Deadline::after(patience_s)), "");
}

TEST(RasSummary, BeginsWithTheErrors) {
  EXPECT_EQ(ras_summary(status_text, 3),
            "Errors | INCOMPLETE |   Missing communicator data from 1 job process");
  EXPECT_EQ(ras_summary("Job summary\n====\n\n  Nodes\n", 8), "Job summary |   Nodes");
  EXPECT_EQ(ras_summary("", 8), "");
}

TEST(SharedFiles, AreReadFromTheMaps) {
  EXPECT_EQ(shared_files_in("7f00-7f01 rw-s 00000000 00:1a 12  /dev/shm/nccl-AbC123\n"
                            "7f01-7f02 rw-s 00000000 00:1a 12  /dev/shm/nccl-AbC123\n"
                            "7f02-7f03 rw-s 00000000 00:1a 13  /dev/shm/nccl-gone99 (deleted)\n"
                            "7f03-7f04 rw-s 00000000 00:1a 14  /dev/shm/vader_segment.0\n"
                            "7f04-7f05 r--p 00000000 08:01 15  /tmp/dev/shm/nccl-other\n"
                            "7f05-7f06 rw-p 00000000 00:00 0\n"
                            "7f06-7f07 rw-s 00000000 00:1a 16  /dev/shm/nccl-Zz/../x\n"
                            "7f07-7f08 rw-s 00000000 00:1a 17  /dev/shm/nccl-second\n"),
            (std::vector<std::string>{"/dev/shm/nccl-AbC123", "/dev/shm/nccl-second"}));
  EXPECT_TRUE(shared_files_in("").empty());
}

class LastWords : public WorkerTest {
 protected:
  static std::vector<std::string> files_of(const WorkerLane& worker) {
    return shared_files_of(worker.pid(), Deadline::after(patience_s));
  }
};

TEST_F(LastWords, FilesOfAKilledWorkerAreRemovedAndNoOthers) {
  WorkerLane other = lane("shm@hello");
  WorkerLane worker = lane("shm@hello");
  for (WorkerLane* one : {&other, &worker}) {
    call(*one, HelloRequest{}, Deadline::after(patience_s), never);
    ASSERT_EQ(files_of(*one).size(), 1U);
  }
  const std::string own = files_of(worker).front();
  const std::string others = files_of(other).front();
  ASSERT_TRUE(std::filesystem::exists(own));
  worker.kill();
  EXPECT_FALSE(std::filesystem::exists(own));
  EXPECT_TRUE(std::filesystem::exists(others));
  other.kill();
  EXPECT_FALSE(std::filesystem::exists(others));
}

TEST_F(LastWords, FilesOfAStoppedWorkerAreRemoved) {
  WorkerLane worker = lane("shm@hello");
  call(worker, HelloRequest{}, Deadline::after(patience_s), never);
  const std::string own = files_of(worker).at(0);
  send_signal(worker.pid(), SIGSTOP);
  worker.start(MakeIdRequest{});
  error_of([&] { worker.finish(Deadline::after(0.2), never); });
  EXPECT_FALSE(std::filesystem::exists(own));
}

TEST_F(LastWords, FilesOfAWorkerThatCrashesWereNotedBefore) {
  WorkerLane worker = lane("shm@open,segv@batch");
  call(worker, OpenRequest{}, Deadline::after(patience_s), never);
  const std::string own = files_of(worker).at(0);
  const Error error =
      error_of([&] { call(worker, BatchRequest{}, Deadline::after(patience_s), never); });
  expect_contains(error.message(), "ended with signal 11 (Segmentation fault) in phase batch");
  EXPECT_FALSE(std::filesystem::exists(own));
}

TEST_F(LastWords, TheWordOfRasIsInTheReasonOfATimeout) {
  FakeRas ras(status_text, FakeRas::Manner::answers);
  WorkerStart start = scripted("hang@batch");
  start.environment["NCCL_RAS_ADDR"] = ras.address();
  WorkerLane worker("direct", start, "");
  worker.start(BatchRequest{});
  const std::string message =
      error_of([&] { worker.finish(Deadline::after(0.2), never); }).message();
  expect_contains(message, "gave no answer within 0.");
  expect_contains(message, "in phase batch; NCCL RAS says: Errors | INCOMPLETE");
}

TEST_F(LastWords, SilentRasCostsTwoSecondsAndNoWords) {
  FakeRas ras("", FakeRas::Manner::keeps_silent);
  WorkerStart start = scripted("hang@batch");
  start.environment["NCCL_RAS_ADDR"] = ras.address();
  WorkerLane worker("direct", start, "");
  worker.start(BatchRequest{});
  const auto begin = Deadline::Clock::now();
  const std::string message =
      error_of([&] { worker.finish(Deadline::after(0.2), never); }).message();
  EXPECT_LT(Deadline::Clock::now() - begin, std::chrono::seconds(4));
  EXPECT_EQ(message.find("RAS"), std::string::npos) << message;
}

TEST_F(LastWords, AGpuThatFallsAwayEndsTheWorker) {
  WorkerLane worker = lane("no-gpu@batch");
  const Error error =
      error_of([&] { call(worker, BatchRequest{}, Deadline::after(patience_s), never); });
  EXPECT_EQ(error.kind(), ErrorKind::cuda);
  expect_contains(error.message(), "the GPU has fallen off the bus");
  EXPECT_FALSE(worker.is_alive());
  EXPECT_TRUE(worker.wait_ended(Deadline::after(patience_s)));
}

TEST_F(LastWords, AKilledWorkerIsSeenToEnd) {
  WorkerLane worker = lane("hang@batch");
  EXPECT_FALSE(worker.wait_ended(Deadline::after(0.05)));
  worker.kill();
  EXPECT_TRUE(worker.wait_ended(Deadline::after(patience_s)));
}

}  // namespace
}  // namespace viaduct
