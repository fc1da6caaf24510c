#include "report/table_title.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace viaduct {

namespace {

/// NCCL_VERSION_CODE: 22803 is 2.28.3; below 2.9 it was 2708 for 2.7.8.
std::string nccl_version(int code) {
  if (code < 10000) {
    return fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100);
  }
  return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
}

std::string cuda_version(int code) {
  return fmt::format("{}.{}", code / 1000, code % 1000 / 10);
}

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// "2 x NVIDIA H200", kinds of GPU in the order of their names.
std::string gpus_text(const Manifest& manifest) {
  std::map<std::string, int> kinds;
  for (const RankInfo& rank : manifest.rank_info) {
    if (!rank.gpu.name.empty()) {
      kinds[rank.gpu.name] += rank.peer_access ? rank.peer_access->gpus() : 1;
    }
  }
  std::string text;
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

std::string hosts_text(const Manifest& manifest) {
  constexpr std::size_t most_named = 4;
  if (manifest.hosts.empty()) {
    return "hosts not known";  // an imported source may name none
  }
  std::string text = plural(manifest.hosts.size(), "host");
  for (std::size_t i = 0; i < manifest.hosts.size() && i < most_named; ++i) {
    text += (i == 0 ? " (" : ", ") + manifest.hosts[i].host;
  }
  if (manifest.hosts.size() > most_named) {
    text += ", ...";
  }
  return text + ")";
}

std::string libraries_text(const Manifest& m) {
  std::vector<std::string> parts;
  if (m.nccl_running != 0) {
    parts.push_back("NCCL " + nccl_version(m.nccl_running));
    if (m.nccl_built != 0 && m.nccl_built != m.nccl_running) {
      parts.back() += fmt::format(" (built with {})", nccl_version(m.nccl_built));
    }
  }
  if (m.cuda_runtime != 0) {
    parts.push_back("CUDA " + cuda_version(m.cuda_runtime));
  }
  if (!m.hosts.empty() && !m.hosts.front().driver.empty()) {
    parts.push_back("driver " + m.hosts.front().driver);
  }
  if (!m.mpi_library.empty()) {
    parts.push_back(m.mpi_library);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string method_text(const Manifest& m) {
  std::string text = fmt::format("engine {}, method {}", name(m.engine), m.method);
  if (!m.lanes.empty()) {
    text += fmt::format(", lanes {}", m.lanes);
  }
  text += fmt::format(", seed {}", m.seed);
  return m.lanes_open_s > 0 ? text + fmt::format(", lanes open after {:.1f} s", m.lanes_open_s)
                            : text;
}

/// "2 ranks", "4 hosts of 8 ranks at once", "2 hosts of 1 to 3 ranks at once".
std::string ranks_text(const CaseTable& table) {
  if (!table.first.group) {
    return plural(static_cast<std::size_t>(table.first.ranks), "rank");
  }
  std::set<int> groups;
  int least = table.first.ranks;
  int most = least;
  for (const CaseRow& row : table.rows) {
    groups.insert(row.group->index);
    least = std::min(least, row.ranks);
    most = std::max(most, row.ranks);
  }
  const std::string& kind = table.first.group->kind;
  const bool is_word = kind == "host" || kind == "rail";
  return fmt::format("{} of {}{}{}",
                     plural(groups.size(), is_word ? kind.c_str() : "group"),
                     least < most ? fmt::format("{} to ", least) : "",
                     plural(static_cast<std::size_t>(most), "rank"),
                     groups.size() > 1 ? " at once" : "");
}

/// An operation without bandwidth has no elements either, and so no datatype.
bool moves_data(const CaseTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const CaseRow& row) {
    return row.c.size_bytes > 0 ||
           std::any_of(row.by_path.begin(), row.by_path.end(), [](const Measurement* m) {
             return m != nullptr && (m->algbw_gbs || m->status != Status::ok);
           });
  });
}

/// Only what is not the default.
std::string buffers_text(const BufferSpec& buffers) {
  std::string text;
  if (buffers.kind != BufferKind::plain) {
    text += fmt::format(", {} buffers", name(buffers.kind));
  }
  if (buffers.offset_bytes != 0) {
    text += fmt::format(", offset {} B", buffers.offset_bytes);
  }
  return text;
}

/// Bytes between GPUs of a host: ranks, datatype and placement say nothing.
std::string copy_title(const CaseTable& table) {
  std::set<std::string> hosts;
  for (const CaseRow& row : table.rows) {
    hosts.insert(row.group ? row.group->name : "");
  }
  const Measurement& m = table.first;
  std::string text = fmt::format("{}, {}", m.c.operation, name(m.c.mode));
  return hosts.size() > 1 ? text + fmt::format(", {} at once", plural(hosts.size(), "host")) : text;
}

}  // namespace

std::string run_title(const Manifest& m) {
  const std::string plan = m.plan.empty() ? "" : fmt::format(", plan {}", m.plan);
  std::string text = fmt::format("Viaduct {}, {}{}\n", m.viaduct_version, m.started_at, plan);
  const std::string gpus = gpus_text(m);
  text += fmt::format("{}{}{}{}{}\n",
                      plural(static_cast<std::size_t>(m.ranks), "rank"),
                      m.hosts.empty() ? ", " : " on ",
                      hosts_text(m),
                      gpus.empty() ? "" : ", ",
                      gpus);
  text += method_text(m) + "\n";
  const std::string libraries = libraries_text(m);
  return libraries.empty() ? text : text + libraries + "\n";
}

std::string table_title(const CaseTable& table) {
  const Measurement& m = table.first;
  if (m.engine == Engine::copy) {
    return copy_title(table);
  }
  std::string text = m.c.operation;
  if (moves_data(table)) {
    text += fmt::format(", {}", name(m.c.datatype));
  }
  if (m.reduces) {
    text += fmt::format(" {}", name(m.c.reduction));
  }
  if (m.has_root && !m.from) {
    // Of two ranks the rows themselves say who sends.
    text += fmt::format(", root {}", m.c.root);
  }
  if (!m.c.traffic.name.empty()) {
    text += fmt::format(", {} traffic", m.c.traffic.name);
  }
  if (m.c.window > 1) {
    text += fmt::format(", window {}", m.c.window);
  }
  text += fmt::format(", {}, {}", name(m.c.placement), name(m.c.mode));
  text += table.knows_buffers ? buffers_text(m.buffers) : "";
  if (m.method != Method::viaduct) {
    text += fmt::format(", method {}", name(m.method));
  }
  return text + ", " + ranks_text(table);
}

}  // namespace viaduct
