#pragma once
// Workers of one communicator, one per GPU, as ranks would drive them, from one test process.

#include "lane/lane.hpp"
#include "worker/worker_lane.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace viaduct {

using Environment = std::map<std::string, std::string>;

/// viaduct-worker: VIADUCT_WORKER, or the one beside this program.
std::string worker_program();

/// The double that flips a bit of each output: VIADUCT_FLIPPING_WORKER, or the one beside this
/// program.
std::string flipping_worker_program();

/// This process's environment without settings that choose a path, buffers registered nowhere, no
/// NVLink multicast.
Environment plain_environment();

/// A folder of its own under the folder for temporary files; removed with its content.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();

  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct WorkersSetting {
  Environment environment;
  int ranks = 1;
  Method method = Method::viaduct;
  std::string program{};  ///< empty: worker_program()
};

class WorkerPair {
 public:
  /// Starts the workers and brings them through hello and init. Throws Error.
  explicit WorkerPair(const WorkersSetting& setting);

  [[nodiscard]] const std::vector<HelloReply>& hellos() const { return hellos_; }

  [[nodiscard]] const std::vector<InitReply>& inits() const { return inits_; }

  /// The same request to every rank at once; replies in the order of ranks.
  template <typename T>
  std::vector<T> ask(const Request& request) {
    return expect_all<T>(std::vector<Request>(lanes_.size(), request));
  }

  /// The workers leave their communicator and join another: `places` has the rank of each in it;
  /// one with -1 joins none.
  std::vector<InitReply> join_again(const std::vector<int>& places);

  /// A request to one worker alone.
  Reply ask_one(std::size_t rank, const Request& request);

  /// What NCCL has written so far, over all ranks.
  [[nodiscard]] std::string nccl_log() const;

 private:
  template <typename T>
  std::vector<T> expect_all(const std::vector<Request>& requests) {
    std::vector<T> values;
    for (const Reply& reply : ask_all(requests)) {
      values.push_back(expect<T>(reply));
    }
    return values;
  }

  std::vector<Reply> ask_all(const std::vector<Request>& requests);

  ScratchFolder folder_;
  std::vector<std::unique_ptr<WorkerLane>> lanes_;
  std::vector<HelloReply> hellos_;
  std::vector<InitReply> inits_;
};

}  // namespace viaduct
