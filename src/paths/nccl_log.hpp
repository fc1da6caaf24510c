#pragma once
// What an NCCL log says, as values: channel lines (edges), topology, environment, tuning, warnings.
// Facts only: which of them prove a path is the join's and the judge's.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

enum class LogTransport { p2p, shm, net, collnet, nvls };

/// "P2P", "SHM", "NET", "COLLNET", "NVLS".
const char* name(LogTransport transport);

/// Which end of a connection wrote the line. P2P and SHM lines do not say it (unknown), but only
/// senders write them.
enum class LineEnd { unknown, send, receive };

/// unknown: the line cannot say it (P2P, SHM), or its end is missing.
enum class GpuDirect { unknown, no, yes };

/// Who wrote a line, from its header. Containers on two hosts may have the same pid, so a process
/// is host and pid together.
struct LogWriter {
  std::string host;
  std::int64_t pid = 0;
  std::int64_t thread = 0;  ///< 0: the header has none
  int device = -1;          ///< CUDA device of the calling thread; -1: the header has none

  friend bool operator==(const LogWriter&, const LogWriter&) = default;
};

/// One channel line.
struct LogEdge {
  int channel = -1;     ///< -1: NVLS, which has no channel lines
  int connection = -1;  ///< after the "/": 0 collectives, 1 send/recv; -1: not printed
  int from = -1;        ///< rank; -1: none, where a CollNet switch receives or sends
  int to = -1;
  std::string from_device;  ///< as printed in brackets: hex bus id up to 2.18.1, then NVML index
  std::string to_device;
  LineEnd end = LineEnd::unknown;
  LogTransport transport = LogTransport::p2p;
  std::string detail;  ///< "CUMEM", "IPC/read", "direct/direct", "IB/0", "AWS Libfabric/0", ...
  GpuDirect gdrdma = GpuDirect::unknown;
  bool pci = false;     ///< "(PCI)": GPUDirect forced over PCIe on a C2C machine
  bool shared = false;  ///< "/Shared": buffers shared by the connections of a send/recv proxy
  int proxy_rank = -1;  ///< "(N)" behind the device: PXN, another rank's NIC
  LogWriter writer;

  /// The rank that wrote the line; -1 when the line cannot say it.
  [[nodiscard]] int writer_rank() const { return end == LineEnd::receive ? to : from; }

  friend bool operator==(const LogEdge&, const LogEdge&) = default;
};

/// "comm 0x... rank R nRanks N nNodes M localRanks ...": as NCCL saw the communicator. nNodes
/// counts NCCL's nodes, which a split topology makes more than the hosts.
struct LogCommunicator {
  std::string comm;  ///< pointer, of use only together with the process
  int rank = -1;
  int ranks = -1;
  std::optional<int> nodes;
  std::optional<int> local_ranks;
  std::optional<int> local_rank;
  std::optional<bool> mnnvl;
  std::optional<int> cuda_device;
  std::optional<int> nvml_device;
  std::string bus_id;   ///< hex, as printed; empty: not printed
  std::string comm_id;  ///< hex, the same on all ranks; empty: not printed
  bool complete = false;
  LogWriter writer;
};

/// "Check P2P Type isAllDirectP2p ...". Says what may be, not what carried data.
struct LogP2pType {
  bool all_direct = false;
  bool direct_mode = false;
  std::optional<bool> all_cuda;  ///< from 2.28.7
  LogWriter writer;
};

/// "24 coll channels, 24 collnet channels, 0 nvls channels, ...".
struct LogChannelCounts {
  int collective = -1;
  int collnet = -1;  ///< -1: not printed
  int nvls = -1;     ///< -1: not printed; 0: NVLS is off
  int p2p = -1;
  int p2p_per_peer = -1;
  LogWriter writer;
};

/// "NVLS comm 0x... headRank H nHeads N ...": the multicast group was set up. Whether a size went
/// over it only TUNING lines say.
struct LogNvls {
  std::string comm;
  int head_rank = -1;
  int heads = -1;
  LogWriter writer;
};

/// "NAME set by environment to VALUE": NCCL took the value.
struct LogVariable {
  std::string name;
  std::string value;
  LogWriter writer;
};

/// "Init timings - ncclCommInitRank: rank ... total 0.34 (kernels 0.25, ...)".
struct LogInitTiming {
  std::string function;  ///< empty up to 2.22
  int rank = -1;
  int ranks = -1;
  double total_s = 0;
  std::map<std::string, double> parts_s;
  LogWriter writer;
};

/// What NCCL chose for one operation. Printed by rank 0 for every launch.
struct LogTuning {
  std::string operation;  ///< "AllReduce"; empty up to 2.22
  std::uint64_t bytes = 0;
  std::string algorithm;  ///< "RING", "TREE", "NVLS", ..., "Symmetric", "Copy Engine"
  std::string protocol;   ///< "LL", "LL128", "SIMPLE"; empty where there is none
  std::string kernel;     ///< of a symmetric kernel, else empty
  int channel_lo = -1;    ///< -1: not printed
  int channel_hi = -1;
  int channels = -1;              ///< -1: not printed
  std::optional<double> time_us;  ///< the cost model's, up to 2.23

  friend auto operator<=>(const LogTuning&, const LogTuning&) = default;
};

/// A WARN line, or an INFO line that tells why a path was not taken.
struct LogWarning {
  std::string text;
  std::string source;  ///< "misc/socket.cc:537"; empty for INFO lines
  std::string cause;   ///< known cause in words; empty: not known
  LogWriter writer;
};

/// A result other than success that NCCL's calls handed up, "transport/net.cc:860 -> 3", the lines
/// of a process and code folded; or what the program that called NCCL printed of it.
struct LogFailure {
  int code = -1;        ///< of ncclResult_t; -1: not printed
  std::string meaning;  ///< "internal error"; empty: not known
  std::string first;    ///< place that said it first, the innermost: "transport/net_socket.cc:399"
  std::string last;
  std::string text;         ///< the line of the program; empty: NCCL's own lines
  std::uint64_t lines = 1;  ///< that said so
  LogWriter writer;         ///< empty for lines of the program: they have no header
};

/// Every line read is counted in exactly one of the others.
struct LogCounts {
  std::uint64_t read = 0;      ///< lines, empty ones too
  std::uint64_t edges = 0;     ///< lines that gave an edge
  std::uint64_t facts = 0;     ///< lines that gave another fact
  std::uint64_t ignored = 0;   ///< lines that say nothing about paths
  std::uint64_t torn = 0;      ///< channel lines that are cut; lines with a second header in them
  std::uint64_t headless = 0;  ///< whole channel lines without their header: not taken
};

/// Where a line stands.
struct LinePlace {
  std::string file;
  std::uint64_t line = 0;  ///< from 1

  friend bool operator==(const LinePlace&, const LinePlace&) = default;
};

struct NcclLog {
  std::vector<LogEdge> edges;
  std::vector<LogCommunicator> communicators;
  std::vector<LogP2pType> p2p_types;
  std::vector<LogChannelCounts> channel_counts;
  std::vector<LogNvls> nvls;
  std::vector<LogVariable> variables;
  std::vector<LogInitTiming> init_timings;
  std::map<LogTuning, std::uint64_t> tuning;       ///< how many lines said it
  std::vector<LogWarning> warnings;                ///< the first of each text of each process
  std::vector<LogFailure> failures;                ///< in the order of their first lines
  std::map<std::string, std::uint64_t> versions;   ///< "2.28.3+cuda13.0", and how many lines
  std::map<std::string, std::uint64_t> networks;   ///< "Using network X", and how many lines
  std::map<std::string, std::uint64_t> connected;  ///< "rings", "trees", ..., and how many lines
  LogCounts lines;
  std::vector<LinePlace> torn_places;  ///< the first few
};

/// `more` behind what `log` has. Warnings that both have stand twice.
void append(NcclLog& log, const NcclLog& more);

/// What concerns these ranks: the lines of the processes that speak for them, and of the channel
/// lines those between two of them. Counts of lines, TUNING lines, versions and what else has no
/// rank stay whole.
NcclLog of_ranks(const NcclLog& log, const std::set<int>& ranks);

}  // namespace viaduct
