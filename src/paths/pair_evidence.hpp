#pragma once
// The channel lines of all ranks joined pair by pair: which transports carry from one rank to the
// other, over how many channels. A pair or an end without a line is absent: unknown, not proven.

#include "paths/nccl_log.hpp"

#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// One way of a pair: lines that agree in all of this.
struct PathUse {
  LogTransport transport = LogTransport::p2p;
  std::string detail;  ///< the sender's where it has a line, else the receiver's
  GpuDirect send_gdrdma = GpuDirect::unknown;     ///< unknown as well without a line of that end
  GpuDirect receive_gdrdma = GpuDirect::unknown;  ///< the same
  bool pci = false;
  bool shared = false;
  bool has_send_line = false;  ///< P2P and SHM: the only line
  bool has_receive_line = false;
  std::set<int> proxy_ranks;
  std::set<int> channels;       ///< channel numbers; empty for NVLS
  std::size_t connections = 0;  ///< distinct channel and connection numbers
};

/// An ordered pair of ranks. Ranks of different communicators may share numbers; the devices keep
/// apart those that run on different GPUs.
struct PairEvidence {
  int from = -1;            ///< -1: the CollNet switch
  int to = -1;              ///< -1: the CollNet switch, or all ranks of an NVLS group
  std::string from_device;  ///< empty where NCCL 2.18.1 names one GPU in two ways
  std::string to_device;
  std::string from_host;  ///< empty: no line of that rank, or lines of two hosts
  std::string to_host;
  std::vector<PathUse> uses;
  std::vector<std::string> conflicts;  ///< channels for which two lines name two transports

  /// More than one transport.
  [[nodiscard]] bool is_mixed() const;

  /// NET although both ranks are known to be on one host.
  [[nodiscard]] bool is_net_inside_host() const;

  /// NET between ranks of which one has no line that tells its host, so that it may be inside one.
  [[nodiscard]] bool may_be_net_inside_host() const;
};

/// "yes" where every end that has a line says it, "no" where one says no; else unknown. GPUDirect
/// is chosen end by end, so a judge of one direction looks at that end.
GpuDirect gdrdma_of(const PathUse& use);

/// In order of from and to. NVLS groups come last, one entry for each rank.
std::vector<PairEvidence> join_pairs(const NcclLog& log);

}  // namespace viaduct
