#include "core/size_text.hpp"
#include "report/case_text.hpp"
#include "report/format.hpp"
#include "report/record_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace viaduct::formats {
namespace {

/// One line of a table: a size with the measurements of its two placements.
struct Line {
  std::uint64_t size_bytes = 0;
  const Measurement* out_of_place = nullptr;
  const Measurement* in_place = nullptr;
};

/// What one run of an nccl-tests program prints.
struct Block {
  const Measurement* first = nullptr;
  std::vector<Line> lines;
  std::vector<const Measurement*> without_numbers;
};

auto block_key(const Measurement& m) {
  return std::make_tuple(m.path,
                         m.engine,
                         m.c.operation,
                         m.c.datatype,
                         m.reduces,
                         m.c.reduction,
                         m.c.root,
                         m.c.mode,
                         m.c.traffic.name,
                         m.buffers.kind,
                         m.buffers.offset_bytes,
                         m.method,
                         m.ranks,
                         m.group ? m.group->index : -1);
}

const Measurement*& cell_of(Line& line, const Measurement& m) {
  return m.c.placement == Placement::in_place ? line.in_place : line.out_of_place;
}

void add_to(Block& block, const Measurement& m) {
  const bool has_numbers = m.time_us && (m.status == Status::ok || m.status == Status::wrong);
  if (!has_numbers) {
    block.without_numbers.push_back(&m);
    return;
  }
  const auto found = std::find_if(block.lines.begin(), block.lines.end(), [&m](Line& line) {
    return line.size_bytes == m.c.size_bytes && cell_of(line, m) == nullptr;
  });
  if (found != block.lines.end()) {
    cell_of(*found, m) = &m;
    return;
  }
  block.lines.push_back({m.c.size_bytes, nullptr, nullptr});
  cell_of(block.lines.back(), m) = &m;
}

/// In the order in which their first record came. Operations between two ranks have no table there.
std::vector<Block> blocks_of(const Result& result) {
  std::map<decltype(block_key(Measurement{})), std::size_t> places;
  std::vector<Block> blocks;
  for (const Measurement& m : result.measurements) {
    if (m.from || m.to) {
      continue;
    }
    const auto [found, is_new] = places.emplace(block_key(m), blocks.size());
    if (is_new) {
      blocks.push_back({&m, {}, {}});
    }
    add_to(blocks[found->second], m);
  }
  return blocks;
}

const char* type_word(Datatype type) {
  switch (type) {
    case Datatype::float16:
      return "half";
    case Datatype::float32:
      return "float";
    case Datatype::float64:
      return "double";
    case Datatype::float8e4m3:
      return "f8e4m3";
    case Datatype::float8e5m2:
      return "f8e5m2";
    default:
      return name(type);
  }
}

std::string reduction_word(const Measurement& m) {
  if (!m.reduces) {
    return "none";
  }
  return m.c.reduction == ReduceOp::premulsum ? "mulsum" : name(m.c.reduction);
}

/// At most two decimals, and no more than fit; never an exponent, which many parsers do not take.
std::string number(double value, std::size_t width) {
  for (int decimals = 2; decimals > 0; --decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.size() <= width) {
      return text;
    }
  }
  return fmt::format("{:.0f}", value);
}

std::string cells(const Measurement* m) {
  const auto one_or_none = [](const std::optional<double>& value, std::size_t width) {
    return value ? number(*value, width) : "N/A";
  };
  if (m == nullptr) {
    return fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", "N/A", "N/A", "N/A", "N/A");
  }
  // nccl-tests gives N/A one column less.
  return fmt::format("  {:>7}  {:>6}  {:>6}  {}",
                     number(m->time_us->median, 7),
                     one_or_none(m->algbw_gbs, 6),
                     one_or_none(m->busbw_gbs, 6),
                     m->wrong ? fmt::format("{:>6}", *m->wrong) : "  N/A");
}

std::string row(const Line& line) {
  const Measurement& m = line.out_of_place != nullptr ? *line.out_of_place : *line.in_place;
  return fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}{}{}\n",
                     line.size_bytes,
                     m.count,
                     type_word(m.c.datatype),
                     reduction_word(m),
                     m.has_root ? m.c.root : -1,
                     cells(line.out_of_place),
                     cells(line.in_place));
}

/// "0000:17:00.0" without the function, as the tables have it.
std::string bus_text(const std::string& bus_id) {
  return bus_id.substr(0, bus_id.rfind('.'));
}

std::string devices(const Result& result, const Measurement& first) {
  std::string text = "# Using devices\n";
  for (const RankInfo& rank : result.manifest.rank_info) {
    if (first.group && std::find(first.group->ranks.begin(), first.group->ranks.end(), rank.rank) ==
                           first.group->ranks.end()) {
      continue;
    }
    text += fmt::format("#  Rank {:>2} Group {:>2} Pid {:>6} on {:>10} device {:>2} [{}] {}\n",
                        rank.rank,
                        first.group ? first.group->index : 0,
                        rank.pid,
                        rank.host,
                        rank.gpu.name.empty() ? -1 : rank.gpu.device,
                        bus_text(rank.gpu.bus_id),
                        rank.gpu.name.empty() ? "host memory" : rank.gpu.name);
  }
  return text + "#\n";
}

/// What the columns cannot say, as comments. Texts from files are kept on one line.
std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return "# " + text + "\n";
}

std::string head(const Result& result, const Block& block) {
  const Measurement& m = *block.first;
  std::uint64_t least = m.c.size_bytes;
  std::uint64_t most = m.c.size_bytes;
  for (const Line& line : block.lines) {
    least = std::min(least, line.size_bytes);
    most = std::max(most, line.size_bytes);
  }
  std::string text = comment(fmt::format("viaduct {} nccl-headers={} nccl-library={}",
                                         result.manifest.viaduct_version,
                                         result.manifest.nccl_built,
                                         result.manifest.nccl_running));
  text += comment(fmt::format("Collective test starting: {}_perf", m.c.operation));
  text += comment(fmt::format("nThread 1 nGpus 1 minBytes {} maxBytes {} validation: {} graph: {}",
                              least,
                              most,
                              m.checked == "none" ? 0 : 1,
                              m.c.mode == Mode::graph ? m.replays : 0));
  text += comment(fmt::format("Path {}, engine {}, mode {}, method {}{}{}",
                              m.path,
                              name(m.engine),
                              name(m.c.mode),
                              name(m.method),
                              m.c.traffic.name.empty() ? "" : ", traffic " + m.c.traffic.name,
                              m.group ? ", group " + m.group->name : ""));
  if (m.method == Method::viaduct) {
    text += comment("Times are medians over batches of the slowest rank, not means over ranks");
  }
  for (const char* key : {"size_bytes", "count"}) {
    if (!is_known(result.manifest, key)) {
      text += comment(fmt::format("{} is not known of every row: 0 stands for it", key));
    }
  }
  return text + "#\n" + devices(result, m) +
         "#                                                              out-of-place             "
         "          in-place          \n"
         "#       size         count      type   redop    root     time   algbw   busbw  #wrong   "
         "  time   algbw   busbw  #wrong \n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)           "
         "  (us)  (GB/s)  (GB/s)         \n";
}

/// Six digits as in nccl-tests, but no exponent.
std::string average_text(double sum, int cells) {
  if (cells == 0) {
    return "N/A";
  }
  const double mean = sum / cells;
  return mean < 1e6 ? fmt::format("{:.6g} ", mean) : fmt::format("{:.0f} ", mean);
}

/// Over the cells of a table, out of place and in place.
struct Tally {
  std::uint64_t wrong_cells = 0;
  bool any_checked = false;
  double busbw_sum = 0;
  int busbw_cells = 0;
};

Tally tally_of(const Block& block) {
  Tally tally;
  for (const Line& line : block.lines) {
    for (const Measurement* m : {line.out_of_place, line.in_place}) {
      if (m == nullptr) {
        continue;
      }
      tally.wrong_cells += m->wrong.value_or(0) > 0 ? 1U : 0U;
      tally.any_checked = tally.any_checked || m->wrong.has_value();
      tally.busbw_cells += m->busbw_gbs ? 1 : 0;
      tally.busbw_sum += m->busbw_gbs.value_or(0);
    }
  }
  return tally;
}

std::string foot(const Result& result, const Block& block) {
  const Tally tally = tally_of(block);
  std::string text;
  for (const Measurement* m : block.without_numbers) {
    text += comment(fmt::format("{}: {}: {}", case_text(*m), name(m->status), m->reason));
  }
  if (!result.end) {
    text += comment("partial: the result file has no end, the run was cut off");
  } else if (result.end->status != "complete") {
    text += comment(result.end->status + ": " + result.end->reason);
  }
  text += tally.any_checked ? "" : comment("The data was not checked");
  text += comment(fmt::format(
      "Out of bounds values : {} {}", tally.wrong_cells, tally.wrong_cells == 0 ? "OK" : "FAILED"));
  text += comment("Avg bus bandwidth    : " + average_text(tally.busbw_sum, tally.busbw_cells));
  return text + "#\n" +
         comment(fmt::format("Collective test concluded: {}_perf", block.first->c.operation)) +
         "#\n";
}

std::string left_out(const Result& result) {
  const auto pairs = std::count_if(result.measurements.begin(),
                                   result.measurements.end(),
                                   [](const Measurement& m) { return m.from || m.to; });
  return pairs == 0 ? ""
                    : comment(fmt::format("{} measurements between two ranks are not shown: "
                                          "nccl-tests has no table for them",
                                          pairs));
}

std::string render(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    text += text.empty() ? "" : "\n";
    text += comment("File " + result.file);
    for (const Block& block : blocks_of(result)) {
      text += head(result, block);
      for (const Line& line : block.lines) {
        text += row(line);
      }
      text += foot(result, block) + "\n";
    }
    text += left_out(result);
  }
  return text;
}

}  // namespace

const Format& nccl_tests() {
  static constexpr Format entry{
      "nccl-tests", "tables that parsers of nccl-tests read, one for each path", &render};
  return entry;
}

}  // namespace viaduct::formats
