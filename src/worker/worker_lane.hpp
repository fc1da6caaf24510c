#pragma once
// A lane whose end is a worker process: requests and replies as frames on its socket.

#include "lane/frame.hpp"
#include "lane/lane.hpp"
#include "worker/network_watch.hpp"
#include "worker/worker_process.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// A request that is lost (deadline, abandon, end or garbage of the worker) kills the worker: the
/// lane is dead then. So it is after a Failure of kind cuda or nccl, and after Quit. NCCL's files
/// of shared memory that a killed worker had are removed.
class WorkerLane : public Lane {
 public:
  /// `nccl_log` is the file that uses_network() looks into (may not exist yet); empty: never.
  WorkerLane(std::string path, const WorkerStart& start, std::string nccl_log);

  /// After Quit the worker gets 2 s to end by itself; then it is killed.
  ~WorkerLane() override;

  WorkerLane(const WorkerLane&) = delete;
  WorkerLane& operator=(const WorkerLane&) = delete;

  [[nodiscard]] const std::string& path() const override { return path_; }

  /// What the socket does not take at once is sent by finish(); an end of the worker is reported
  /// there as well.
  void start(const Request& request) override;
  Reply finish(Deadline deadline, const Abandon& abandon) override;

  /// As finish(), but returns at once: empty when there is no reply yet. For a rank that has work
  /// to do while its worker answers.
  std::optional<Reply> try_finish(Deadline deadline, const Abandon& abandon);

  void kill() noexcept override;

  [[nodiscard]] bool is_alive() const override { return alive_; }

  bool wait_ended(Deadline deadline) override { return process_.wait(deadline).has_value(); }

  [[nodiscard]] bool uses_network() const override { return network_.has_seen_network(); }

  [[nodiscard]] pid_t pid() const { return process_.pid(); }

 private:
  [[noreturn]] void lose(const std::string& what);
  [[noreturn]] void lose_ended();
  void require_alive() const;
  void require_request() const;
  std::optional<Reply> look_for_reply(Deadline deadline, const Abandon& abandon);
  std::optional<Reply> take_reply();
  void settle(const Reply& reply);
  void send_some();
  bool receive_some();
  void wait_for_socket(Deadline deadline) const;
  void note_shared_files();
  [[nodiscard]] std::string log_ends() const;
  [[nodiscard]] std::string word_of_ras() const;

  std::string path_;
  std::string output_file_;
  std::string ras_address_;  ///< of the worker's NCCL; empty: none
  std::string nccl_log_;
  WorkerProcess process_;
  mutable NetworkWatch network_;  ///< remembers how far it has read
  FrameReader reader_;
  std::vector<std::uint8_t> outgoing_;
  std::size_t sent_ = 0;
  std::size_t reply_index_ = 0;  ///< alternative of Reply that answers the request under way
  std::string phase_;            ///< of the request under way; empty: none
  std::chrono::steady_clock::time_point started_;
  Deadline next_question_ = Deadline::after(0);  ///< when abandon is asked again
  bool alive_ = true;
  bool has_quit_ = false;
  std::vector<std::string> shared_files_;  ///< of its NCCL, to be removed after a kill
  std::string end_ = "it was killed";      ///< why the lane is dead, for later calls
};

}  // namespace viaduct
