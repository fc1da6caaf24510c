#include "compare/side_of_result.hpp"

#include "core/error.hpp"
#include "report/record_columns.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

std::string version_text(int code) {
  constexpr int major_unit = 10000;
  return fmt::format("{}.{}.{}", code / major_unit, code / 100 % 100, code % 100);
}

std::set<std::string> paths_of(const Result& result) {
  std::set<std::string> paths;
  for (const Measurement& m : result.measurements) {
    paths.insert(m.path);
  }
  return paths;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

PointKey key_of(const Measurement& m, bool with_path) {
  PointKey key;
  key.path = with_path ? m.path : "";
  key.operation = m.c.operation;
  key.datatype = name(m.c.datatype);
  key.reduction = m.reduces ? name(m.c.reduction) : "";
  key.root = m.has_root ? std::to_string(m.c.root) : "";
  key.placement = name(m.c.placement);
  key.mode = name(m.c.mode);
  // Messages in flight tell cases apart as traffic does, and no operation has both.
  key.traffic = m.c.window > 0 ? fmt::format("window {}", m.c.window) : m.c.traffic.name;
  key.group = m.group ? fmt::format("group {} by {}", m.group->index, m.group->kind) : "";
  key.from = m.from ? std::to_string(*m.from) : "";
  key.to = m.to ? std::to_string(*m.to) : "";
  key.size_bytes = m.c.size_bytes;
  return key;
}

ComparedPoint point_of(const Measurement& m) {
  ComparedPoint point;
  point.status = m.status;
  point.reason = m.reason;
  point.busbw_gbs = m.busbw_gbs;
  point.algbw_gbs = m.algbw_gbs;
  if (!m.time_us || m.time_us->median <= 0) {
    return point;
  }
  point.value = m.time_us->median;
  point.within_samples = m.time_us->samples / std::max<std::uint64_t>(1, m.thinned_by);
  if (can_cover_median(point.within_samples) && m.time_us->low > 0) {
    point.within = Interval{m.time_us->low, m.time_us->high};
  }
  // Samples of something else than the time stands for (see imported records) say nothing of it.
  if (m.samples_us.size() == m.time_us->samples) {
    point.samples = m.samples_us;
    point.sample_kind = m.c.mode == Mode::each ? "operations" : "batches";
  }
  if (m.launches && m.launches->medians_us.size() > 1) {
    point.launches = m.launches->medians_us;
    point.value = median(point.launches);
  }
  return point;
}

std::set<std::string> gpus_of(const Manifest& manifest) {
  std::map<std::string, int> counts;
  for (const RankInfo& rank : manifest.rank_info) {
    if (!rank.gpu.name.empty()) {
      ++counts[rank.gpu.name];
    }
  }
  std::set<std::string> gpus;
  for (const auto& [gpu, count] : counts) {
    gpus.insert(fmt::format("{} x {}", count, gpu));
  }
  return gpus;
}

std::set<std::string> hosts_of(const Manifest& manifest) {
  std::set<std::string> hosts;
  for (const RankInfo& rank : manifest.rank_info) {
    hosts.insert(rank.host + " " + rank.boot_id);
  }
  return hosts.empty() ? hosts : std::set<std::string>{std::to_string(hosts.size())};
}

void add_configuration(const Result& result, const Measurement& m, SideConfiguration& all) {
  all.ranks.insert(std::to_string(m.ranks));
  all.engine.insert(name(m.engine));
  all.method.insert(name(m.method));
  if (is_known(result.manifest, "buffers")) {
    all.buffers.insert(fmt::format(
        "{}{}",
        name(m.buffers.kind),
        m.buffers.offset_bytes == 0 ? "" : fmt::format(" offset {}", m.buffers.offset_bytes)));
  }
  if (result.manifest.nccl_running > 0 && m.engine != Engine::mpi) {
    all.nccl.insert(version_text(result.manifest.nccl_running));
  }
}

}  // namespace

ComparedSide side_of_result(const Result& result, const std::string& path) {
  const std::set<std::string> paths = paths_of(result);
  if (paths.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: no measurement in it", result.file));
  }
  if (!path.empty() && paths.count(path) == 0) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: no path '{}'; its paths: {}", result.file, path, joined(paths)));
  }
  ComparedSide side;
  side.label = result.file + (path.empty() ? "" : ":" + path);
  side.sources = {result.file};
  const bool with_path = path.empty() && paths.size() > 1;
  for (const Measurement& m : result.measurements) {
    if (path.empty() || m.path == path) {
      side.points[key_of(m, with_path)] = point_of(m);
      add_configuration(result, m, side.configuration);
    }
  }
  side.configuration.gpus = gpus_of(result.manifest);
  side.configuration.hosts = hosts_of(result.manifest);
  if (result.manifest.lanes == "together") {
    side.same_launch_as = result.file;
  }
  if (!result.end || result.end->status != "complete") {
    side.notes.push_back(result.file +
                         ": the run did not come to its end; what it has is compared");
  }
  return side;
}

}  // namespace viaduct
