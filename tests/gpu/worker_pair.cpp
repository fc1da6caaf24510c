#include "gpu/worker_pair.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace viaduct {

namespace {

constexpr double answer_s = 90;

bool never_abandon() {
  return false;
}

bool chooses_a_path(std::string_view variable) {
  constexpr std::array<std::string_view, 10> prefixes{"NCCL_P2P_",
                                                      "NCCL_SHM_",
                                                      "NCCL_NET",
                                                      "NCCL_ALGO",
                                                      "NCCL_PROTO",
                                                      "NCCL_NVLS",
                                                      "NCCL_DEBUG",
                                                      "NCCL_MNNVL",
                                                      "NCCL_GRAPH_",
                                                      "NCCL_LOCAL_"};
  for (const std::string_view prefix : prefixes) {
    if (variable.starts_with(prefix)) {
      return true;
    }
  }
  return false;
}

}  // namespace

namespace {

std::string program_beside(const char* variable, const char* name) {
  if (const char* named = std::getenv(variable); named != nullptr) {
    return named;
  }
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

}  // namespace

std::string worker_program() {
  return program_beside("VIADUCT_WORKER", "viaduct-worker");
}

std::string flipping_worker_program() {
  return program_beside("VIADUCT_FLIPPING_WORKER", "flipping_worker");
}

Environment plain_environment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && !chooses_a_path(text.substr(0, equals))) {
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  environment.insert_or_assign("CUDA_DEVICE_ORDER", std::string("PCI_BUS_ID"));
  environment.insert_or_assign("NCCL_NVLS_ENABLE", std::string("0"));
  environment.insert_or_assign("NCCL_GRAPH_REGISTER", std::string("0"));
  environment.insert_or_assign("NCCL_LOCAL_REGISTER", std::string("0"));
  return environment;
}

ScratchFolder::ScratchFolder() {
  std::string name = std::filesystem::temp_directory_path() / "viaduct-gpu-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no folder " + name);
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

WorkerPair::WorkerPair(const WorkersSetting& setting) {
  std::vector<Request> hellos;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    const std::string stem = folder_.path() / ("rank" + std::to_string(rank));
    WorkerStart start{.program = setting.program.empty() ? worker_program() : setting.program,
                      .environment = setting.environment,
                      .output_file = stem + ".out"};
    start.environment.insert_or_assign("NCCL_DEBUG", std::string("INFO"));
    start.environment.insert_or_assign("NCCL_DEBUG_SUBSYS", std::string("INIT,P2P,SHM,NET"));
    start.environment.insert_or_assign("NCCL_DEBUG_FILE", stem + ".nccl");
    lanes_.push_back(std::make_unique<WorkerLane>("test", start, stem + ".nccl"));
    hellos.emplace_back(HelloRequest{.local_rank = rank});
  }
  hellos_ = expect_all<HelloReply>(hellos);
  const Reply made =
      call(*lanes_.front(), MakeIdRequest{}, Deadline::after(answer_s), never_abandon);
  std::vector<Request> inits;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    inits.emplace_back(InitRequest{.id = expect<MakeIdReply>(made).id,
                                   .rank = rank,
                                   .ranks = setting.ranks,
                                   .cpus = "",
                                   .method = setting.method});
  }
  inits_ = expect_all<InitReply>(inits);
}

std::vector<InitReply> WorkerPair::join_again(const std::vector<int>& places) {
  const auto members = std::count_if(places.begin(), places.end(), [](int p) { return p >= 0; });
  const auto first = std::find(places.begin(), places.end(), 0) - places.begin();
  const Reply made = ask_one(static_cast<std::size_t>(first), MakeIdRequest{});
  std::vector<Request> inits;
  for (const int place : places) {
    inits.emplace_back(InitRequest{.id = expect<MakeIdReply>(made).id,
                                   .rank = std::max(place, 0),
                                   .ranks = place < 0 ? 0 : static_cast<int>(members),
                                   .cpus = ""});
  }
  return expect_all<InitReply>(inits);
}

Reply WorkerPair::ask_one(std::size_t rank, const Request& request) {
  lanes_[rank]->start(request);
  return lanes_[rank]->finish(Deadline::after(answer_s), never_abandon);
}

std::string WorkerPair::nccl_log() const {
  std::ostringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".nccl") {
      text << std::ifstream(entry.path()).rdbuf();
    }
  }
  return text.str();
}

std::vector<Reply> WorkerPair::ask_all(const std::vector<Request>& requests) {
  for (std::size_t rank = 0; rank < lanes_.size(); ++rank) {
    lanes_[rank]->start(requests[rank]);
  }
  std::vector<Reply> replies;
  for (const auto& lane : lanes_) {
    replies.push_back(lane->finish(Deadline::after(answer_s), never_abandon));
  }
  return replies;
}

}  // namespace viaduct
