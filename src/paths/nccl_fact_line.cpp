#include "paths/nccl_fact_line.hpp"

#include "paths/nccl_failure_line.hpp"
#include "paths/text_cursor.hpp"
#include "paths/variable_rules.hpp"

#include <array>
#include <cctype>

namespace viaduct {

namespace {

std::optional<int> count_of(std::string_view word) {
  TextCursor cursor(word);
  const std::optional<int> number = cursor.take_count();
  return cursor.at_end() ? number : std::nullopt;
}

/// Words of "comm 0x... rank 0 nRanks 2 nNodes 1 ...": a key and its value by turns.
void set_field(LogCommunicator& comm, std::string_view key, std::string_view value) {
  if (key == "rank") {
    comm.rank = count_of(value).value_or(-1);
  } else if (key == "nRanks" || key == "nranks") {
    comm.ranks = count_of(value).value_or(-1);
  } else if (key == "nNodes") {
    comm.nodes = count_of(value);
  } else if (key == "localRanks") {
    comm.local_ranks = count_of(value);
  } else if (key == "localRank") {
    comm.local_rank = count_of(value);
  } else if (key == "MNNVL") {
    comm.mnnvl = value == "1";
  } else if (key == "cudaDev") {
    comm.cuda_device = count_of(value);
  } else if (key == "nvmlDev") {
    comm.nvml_device = count_of(value);
  } else if (key == "busId") {
    comm.bus_id = value;
  } else if (key == "commId") {
    comm.comm_id = value;
  }
}

/// "comm 0x..." with nNodes behind it, or with "Init START" or "Init COMPLETE" at its end.
std::optional<LogCommunicator> read_communicator(std::string_view message) {
  const bool is_start = message.ends_with("Init START");
  const bool is_complete = message.ends_with("Init COMPLETE");
  const std::size_t at = message.find("comm 0x");
  const bool tells_nodes = message.find(" nNodes ") != std::string_view::npos && at == 0;
  if (at == std::string_view::npos || !(is_start || is_complete || tells_nodes)) {
    return std::nullopt;
  }
  LogCommunicator comm;
  comm.complete = is_complete;
  TextCursor cursor(message.substr(at));
  cursor.take("comm ");
  comm.comm = cursor.take_word();
  while (!cursor.at_end()) {
    const std::string_view key = cursor.take_word();
    if (key != "-") {
      set_field(comm, key, cursor.take_word());
    }
  }
  return comm.rank >= 0 && comm.ranks > comm.rank ? std::optional(comm) : std::nullopt;
}

std::optional<bool> take_flag(TextCursor& cursor, std::string_view before) {
  if (cursor.take(before)) {
    if (cursor.take("1")) {
      return true;
    }
    if (cursor.take("0")) {
      return false;
    }
  }
  return std::nullopt;
}

std::optional<LogP2pType> read_p2p_type(std::string_view message) {
  TextCursor cursor(message);
  const auto all_direct = take_flag(cursor, "Check P2P Type isAllDirectP2p ");
  const auto direct_mode = take_flag(cursor, " directMode ");
  if (!all_direct || !direct_mode) {
    return std::nullopt;
  }
  LogP2pType type;
  type.all_direct = *all_direct;
  type.direct_mode = *direct_mode;
  type.all_cuda = take_flag(cursor, " isAllCudaP2p ");
  return cursor.at_end() ? std::optional(type) : std::nullopt;
}

/// "24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per
/// peer"; older versions leave some out.
std::optional<LogChannelCounts> read_channel_counts(std::string_view message) {
  LogChannelCounts counts;
  TextCursor cursor(message);
  const auto take = [&cursor](std::string_view behind, int& number) {
    TextCursor ahead = cursor;
    const std::optional<int> value = ahead.take_count();
    if (value && ahead.take(behind)) {
      number = *value;
      cursor = ahead;
    }
  };
  take(" coll channels, ", counts.collective);
  take(" collnet channels, ", counts.collnet);
  take(" nvls channels, ", counts.nvls);
  take(" p2p channels, ", counts.p2p);
  take(" p2p channels per peer", counts.p2p_per_peer);
  const bool is_whole = counts.collective >= 0 && counts.p2p_per_peer >= 0 && cursor.at_end();
  return is_whole ? std::optional(counts) : std::nullopt;
}

/// "NVLS comm 0x... headRank 0 nHeads 8 ..."; 2.17 prints "rank" and "nranks".
std::optional<LogNvls> read_nvls(std::string_view message) {
  TextCursor cursor(message);
  if (!cursor.take("NVLS comm 0x")) {
    return std::nullopt;
  }
  LogNvls nvls;
  nvls.comm = "0x" + std::string(cursor.take_word());
  if (!cursor.take("headRank ") && !cursor.take("rank ")) {
    return std::nullopt;
  }
  const auto head = cursor.take_number<int>();
  if (!head || !(cursor.take(" nHeads ") || cursor.take(" nranks "))) {
    return std::nullopt;
  }
  const std::optional<int> heads = cursor.take_count();
  nvls.head_rank = *head;
  nvls.heads = heads.value_or(-1);
  const bool is_whole = heads && message.find(" nvlsTotalSize ") != std::string_view::npos;
  return is_whole ? std::optional(nvls) : std::nullopt;
}

/// Numbers that NCCL reads as parameters are printed with a full stop behind them.
std::string without_full_stop(std::string_view value) {
  if (value.ends_with('.')) {
    const std::string_view number = value.substr(0, value.size() - 1);
    TextCursor cursor(number);
    if (cursor.take_number<long long>() && cursor.at_end()) {
      return std::string(number);
    }
  }
  return std::string(value);
}

/// "NCCL_P2P_LEVEL set by environment to NVL"; "NCCL_IB_HCA set to mlx5_0".
std::optional<LogVariable> read_variable(std::string_view message) {
  for (const std::string_view words : {" set by environment to ", " set to "}) {
    TextCursor cursor(message);
    const std::optional<std::string_view> name = cursor.take_until(words);
    if (name && is_variable_name(*name) && name->starts_with("NCCL_")) {
      return LogVariable{std::string(*name), without_full_stop(cursor.rest()), {}};
    }
  }
  return std::nullopt;
}

/// "kernels 0.25, alloc 0.05)".
bool read_parts(TextCursor cursor, LogInitTiming& timing) {
  while (true) {
    const std::string_view part = cursor.take_word();
    const auto seconds = cursor.take_number<double>();
    if (part.empty() || !seconds) {
      return false;
    }
    timing.parts_s[std::string(part)] = *seconds;
    if (cursor.take(")")) {
      return cursor.at_end();
    }
    if (!cursor.take(", ")) {
      return false;
    }
  }
}

std::optional<LogInitTiming> read_init_timing(std::string_view message) {
  LogInitTiming timing;
  TextCursor cursor(message);
  if (cursor.take("Init timings - ")) {
    const auto function = cursor.take_until(": ");
    if (!function) {
      return std::nullopt;
    }
    timing.function = *function;
  } else if (!cursor.take("Init timings: ")) {
    return std::nullopt;
  }
  const std::optional<int> rank = cursor.take("rank ") ? cursor.take_count() : std::nullopt;
  const std::optional<int> ranks = cursor.take(" nranks ") ? cursor.take_count() : std::nullopt;
  const auto total = cursor.take(" total ") ? cursor.take_number<double>() : std::nullopt;
  if (!rank || !ranks || !total || !cursor.take(" (") || !read_parts(cursor, timing)) {
    return std::nullopt;
  }
  timing.rank = *rank;
  timing.ranks = *ranks;
  timing.total_s = *total;
  return timing;
}

/// INFO lines that tell why a path was not taken, or a value not.
std::optional<LogWarning> read_quiet_warning(std::string_view message) {
  const bool is_one = message.starts_with("Could not enable P2P between ") ||
                      message.starts_with("P2P is disabled between ") ||
                      message.starts_with("fallocate: Failed to extend ") ||
                      message.starts_with("Invalid value ");
  return is_one ? std::optional(LogWarning{std::string(message), "", warning_cause(message), {}})
                : std::nullopt;
}

std::optional<NetworkName> read_network_name(std::string_view message) {
  TextCursor cursor(message);
  if (!cursor.take("Using network ") || cursor.at_end()) {
    return std::nullopt;
  }
  return NetworkName{std::string(cursor.rest())};
}

std::optional<ConnectedWhat> read_connected(std::string_view message) {
  for (const std::string_view what : {"rings", "trees"}) {
    TextCursor cursor(message);
    if (cursor.take("Connected all ") && cursor.take(what) &&
        (cursor.at_end() || cursor.take(", "))) {
      return ConnectedWhat{std::string(what)};
    }
  }
  return std::nullopt;
}

template <typename Fact>
bool put(std::optional<Fact> fact, LogFact& into) {
  if (fact) {
    into = std::move(*fact);
  }
  return fact.has_value();
}

}  // namespace

std::optional<VersionName> read_version(std::string_view line) {
  const std::string_view mark = "NCCL version ";
  const std::size_t at = line.rfind(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  TextCursor cursor(line.substr(at + mark.size()));
  const std::string_view version = cursor.take_word();
  const bool is_one = !version.empty() && version.find('.') != std::string_view::npos &&
                      std::isdigit(static_cast<unsigned char>(version.front())) != 0;
  return is_one && cursor.at_end() ? std::optional(VersionName{std::string(version)})
                                   : std::nullopt;
}

std::string warning_cause(std::string_view text) {
  struct Cause {
    std::string_view mark;
    std::string_view cause;
  };

  static constexpr std::array causes{
      Cause{"No space left on device", "no space: /dev/shm of this host or container is full"},
      Cause{"Error while creating shared memory segment", "/dev/shm cannot hold the buffers"},
      Cause{"fallocate: Failed to extend", "/dev/shm cannot hold the buffers"},
      Cause{"No transport found", "no allowed transport reaches from one rank to the other"},
      Cause{"Could not enable P2P between", "CUDA gives these two GPUs no peer access"},
      Cause{"P2P is disabled between", "the driver gives these two GPUs no peer access"},
      Cause{"CUDA driver is a stub library", "libcuda is the stub of a build, not the driver's"},
      Cause{"Duplicate GPU detected", "two ranks use one GPU"},
      Cause{"Failed to initialize any NET plugin", "no network transport can be used"},
      Cause{"Failed to open libibverbs", "no InfiniBand library here, so no NET/IB"},
      Cause{"when ACS is enabled", "PCIe ACS may break GPU Direct RDMA"},
      Cause{"Invalid value", "NCCL cannot read the value and uses its default"},
  };
  for (const Cause& known : causes) {
    if (text.find(known.mark) != std::string_view::npos) {
      return std::string(known.cause);
    }
  }
  return "";
}

LogFact read_fact(std::string_view message) {
  LogFact fact;
  // A chain, since each format begins with words of its own and at most one of them reads it.
  const bool is_read = put(read_communicator(message), fact) || put(read_p2p_type(message), fact) ||
                       put(read_channel_counts(message), fact) || put(read_nvls(message), fact) ||
                       put(read_variable(message), fact) || put(read_init_timing(message), fact) ||
                       put(read_tuning(message), fact) || put(read_quiet_warning(message), fact) ||
                       put(read_network_name(message), fact) ||
                       put(read_connected(message), fact) || put(read_failure(message), fact);
  if (!is_read && message.starts_with("NCCL version ")) {
    put(read_version(message), fact);
  }
  return fact;
}

}  // namespace viaduct
