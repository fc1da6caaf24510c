#include "scripted_engine.hpp"

#include "lane/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace viaduct::test {

namespace {

constexpr std::size_t huge_samples = 2'500'000;
constexpr std::size_t huge_text_bytes = 2'000'000;
constexpr std::size_t id_bytes = 128;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

double number(const std::string& text, const char* name) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not a number", name, text));
  }
  return value;
}

double number_or(const char* name, double otherwise) {
  const std::string text = variable(name);
  return text.empty() ? otherwise : number(text, name);
}

std::map<std::string, double> parse_base_times(std::string text) {
  std::map<std::string, double> times{{"", 10.0}};
  while (!text.empty()) {
    const std::string entry = text.substr(0, text.find(','));
    text.erase(0, entry.size() + 1);
    const auto colon = entry.find(':');
    const bool has_name = colon != std::string::npos;
    times[has_name ? entry.substr(0, colon) : ""] =
        number(has_name ? entry.substr(colon + 1) : entry, "SCRIPT_BASE_US");
  }
  return times;
}

void send_raw(const std::vector<std::uint8_t>& bytes) {
  if (::send(control_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) {
    throw Error(ErrorKind::internal, "the scripted bytes could not be sent");
  }
}

[[noreturn]] void hang() {
  while (true) {
    ::pause();
  }
}

/// Ends and leaves a process of its group behind that holds the socket: end-of-file never comes.
[[noreturn]] void leave_orphan() {
  if (::fork() == 0) {
    hang();
  }
  constexpr int status = 4;
  ::_exit(status);
}

void send_torn_frame() {
  constexpr std::ptrdiff_t begun = 9;
  auto frame = make_frame(encode(Reply(Failure{ErrorKind::internal, "torn"})));
  frame.erase(frame.begin() + begun, frame.end());
  send_raw(frame);
}

void append_nccl_line(const std::string& line) {
  std::ofstream(variable("NCCL_DEBUG_FILE"), std::ios::app) << line << '\n';
}

[[noreturn]] void complain_and_exit() {
  for (int line = 1; line <= 7; ++line) {
    std::fprintf(stderr, "scripted complaint %d\n", line);
  }
  constexpr int status = 3;
  ::_exit(status);
}

/// As NCCL does for its SHM transport where the library is old, or the driver.
void map_shared_file() {
  constexpr std::size_t bytes = 4096;
  std::array<char, 32> name{"/dev/shm/nccl-XXXXXX"};
  const int file = ::mkstemp(name.data());
  if (file < 0 || ::ftruncate(file, bytes) != 0 ||
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED) {
    throw Error(ErrorKind::io, fmt::format("cannot map {}", name.data()));
  }
}

double bus_factor(const std::string& operation, int ranks) {
  const double share = (ranks - 1.0) / ranks;
  if (operation == "all_reduce") {
    return 2 * share;
  }
  return operation == "all_gather" || operation == "reduce_scatter" ? share : 1;
}

}  // namespace

ScriptedTimes times_from_environment() {
  ScriptedTimes times;
  times.base_us = parse_base_times(variable("SCRIPT_BASE_US"));
  times.factor = number_or("SCRIPT_FACTOR", times.factor);
  times.noise = number_or("SCRIPT_NOISE", times.noise);
  times.seed = static_cast<std::uint64_t>(number_or("SCRIPT_SEED", 1));
  times.gpus = static_cast<int>(number_or("SCRIPT_GPUS", times.gpus));
  times.free_bytes = static_cast<std::uint64_t>(
      number_or("SCRIPT_FREE_BYTES", static_cast<double>(times.free_bytes)));
  return times;
}

ScriptedEngine::ScriptedEngine(WorkerScript script, ScriptedTimes times)
    : script_(std::move(script)),
      times_(std::move(times)),
      random_(times_.seed) {}

ScriptedEngine::Spoiled ScriptedEngine::act(const std::string& phase) {
  Spoiled spoiled;
  const int occurrence = ++occurrences_[phase];
  for (const ScriptStep& step : script_.steps) {
    if (step.phase != phase || (step.rank && *step.rank != local_rank_)) {
      continue;
    }
    if (step.action == "slow") {
      std::this_thread::sleep_for(std::chrono::milliseconds(step.delay_ms));
    } else if (step.occurrence == occurrence) {
      spoiled.is_wrong = spoiled.is_wrong || step.action == "wrong";
      spoiled.is_huge = spoiled.is_huge || step.action == "huge";
      perform(step);
    }
  }
  return spoiled;
}

void ScriptedEngine::perform(const ScriptStep& step) {
  constexpr int exit_status = 3;
  const std::string& action = step.action;
  if (action == "crash") {
    std::abort();
  } else if (action == "segv") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer has its own
    std::raise(SIGSEGV);
  } else if (action == "shm") {
    map_shared_file();
  } else if (action == "no-gpu") {
    throw Error(ErrorKind::cuda, "scripted: the GPU has fallen off the bus");
  } else if (action == "hang") {
    hang();
  } else if (action == "exit") {
    ::_exit(exit_status);
  } else if (action == "stderr-then-exit") {
    complain_and_exit();
  } else if (action == "garbage") {
    send_raw(std::vector<std::uint8_t>(64, 0xFF));
  } else if (action == "torn") {
    send_torn_frame();
    ::_exit(0);
  } else if (action == "twice") {
    send_raw(make_frame(encode(Reply(Done{}))));
  } else if (action == "orphan") {
    leave_orphan();
  } else if (action == "fail") {
    throw Error(ErrorKind::nccl, "scripted failure: unhandled system error");
  } else if (action == "refuse") {
    throw Error(ErrorKind::usage, "scripted refusal");
  } else if (action == "throw") {
    throw std::runtime_error("scripted exception");
  } else if (action == "throw-odd") {
    throw 42;
  } else if (action == "network") {
    append_nccl_line("host:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0");
  } else if (action == "warn") {
    append_nccl_line("host:1:2 [0] misc/socket.cc:1 NCCL WARN scripted warning");
  }
}

HelloReply ScriptedEngine::hello(const HelloRequest& request) {
  local_rank_ = request.local_rank;
  act("hello");
  HelloReply reply;
  reply.pid = ::getpid();
  reply.visible_gpus = times_.gpus;
  reply.device = request.local_rank;
  reply.gpu_name = "scripted GPU";
  reply.gpu_uuid = fmt::format("GPU-00000000-0000-0000-0000-{:012}", request.local_rank);
  reply.bus_id = fmt::format("00000000:{:02X}:00.0", request.local_rank + 1);
  reply.total_bytes = times_.free_bytes;
  reply.nccl_built = 22809;
  reply.nccl_running = 22809;
  reply.cuda_driver = 13000;
  reply.cuda_runtime = 13000;
  reply.cpus = "0";
  return reply;
}

MakeIdReply ScriptedEngine::make_id() {
  act("make_id");
  MakeIdReply reply;
  for (std::size_t i = 0; i < id_bytes; ++i) {
    reply.id += fmt::format("{:02x}", random_() & 0xFFU);
  }
  return reply;
}

InitReply ScriptedEngine::init(const InitRequest& request) {
  act("init");
  if (request.id.size() != 2 * id_bytes) {
    throw Error(ErrorKind::nccl, fmt::format("an id of {} characters", request.id.size()));
  }
  ranks_ = request.ranks;
  return {.cpus = request.cpus, .free_bytes = times_.free_bytes, .seconds = 0.001};
}

CaseDescription ScriptedEngine::describe(const DescribeRequest& request) {
  act("describe");
  const std::uint64_t element = element_bytes(request.c.datatype);
  CaseDescription description;
  description.count = request.c.size_bytes / element;
  description.size_bytes = description.count * element;
  description.bus_factor = bus_factor(request.c.operation, ranks_);
  description.slot_bytes = 2 * description.size_bytes;
  description.free_bytes = times_.free_bytes;
  description.reduces =
      request.c.operation == "all_reduce" || request.c.operation == "reduce_scatter";
  return description;
}

OpenResult ScriptedEngine::open(const OpenSpec& spec) {
  const Spoiled spoiled = act("open");
  open_case_ = spec.c;
  OpenResult result;
  if (spec.check) {
    result.wrong = spoiled.is_wrong ? 1U : 0U;
  }
  result.first_operation_us = operation_us();
  result.allocator = spoiled.is_huge ? std::string(huge_text_bytes, 'h') : "scripted";
  result.registration = "none";
  return result;
}

double ScriptedEngine::operation_us() {
  constexpr double bytes_per_us = 100'000;  // 100 GB/s
  const auto named = times_.base_us.find(open_case_.operation);
  const double base = named != times_.base_us.end() ? named->second : times_.base_us.at("");
  const double quiet = base + static_cast<double>(open_case_.size_bytes) / bytes_per_us;
  std::normal_distribution<double> noise(1.0, times_.noise);
  return times_.factor * quiet * std::max(0.5, noise(random_));
}

BatchResult ScriptedEngine::batch(const BatchSpec& spec) {
  const Spoiled spoiled = act("batch");
  BatchResult result;
  const bool is_each = open_case_.mode == Mode::each;
  const std::uint64_t samples = spoiled.is_huge ? huge_samples : (is_each ? spec.operations : 1);
  for (std::uint64_t i = 0; i < samples; ++i) {
    result.samples_us.push_back(operation_us());
  }
  if (spec.checked) {
    result.wrong = spoiled.is_wrong ? 1U : 0U;
    result.checked_operations = spec.operations;
  }
  result.checked = spec.checked ? "timed" : "none";
  const auto operations = spec.operations * spec.replays + spec.lead_in_operations;
  result.wall_us = result.samples_us.front() * static_cast<double>(operations);
  // The rank measures time of its own: a batch takes as long as it says, up to a bound that keeps
  // tests quick.
  constexpr double longest_us = 50'000;
  std::this_thread::sleep_for(
      std::chrono::duration<double, std::micro>(std::min(result.wall_us, longest_us)));
  return result;
}

void ScriptedEngine::close_case() {
  act("close");
}

}  // namespace viaduct::test
