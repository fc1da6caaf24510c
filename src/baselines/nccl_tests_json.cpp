// JSON of nccl-tests -J, versions 1 to 3. The environment in it is not read: it may hold secrets.

#include "baselines/judge_run.hpp"
#include "baselines/reader.hpp"
#include "baselines/row_fault.hpp"
#include "baselines/tolerant_json.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace viaduct::baselines {
namespace {

using Json = nlohmann::json;

/// Every iteration but those that the summary leaves out.
std::vector<double> samples_of(const Json* per_iteration) {
  std::vector<double> samples;
  const Json* times = find_key(per_iteration, {"times_us"});
  if (times == nullptr || !times->is_array()) {
    return samples;
  }
  const auto skipped = static_cast<std::size_t>(
      std::max(0, integer_in(find_key(per_iteration, {"skipped_iterations"})).value_or(0)));
  for (std::size_t i = skipped; i < times->size(); ++i) {
    if (const auto time = number_in(&(*times)[i]); time && *time > 0) {
      samples.push_back(*time);
    }
  }
  return samples;
}

/// A time of the host (-C) is when the call returned, not how long the operation took: no time.
std::optional<BaselineTimes> cell_of(const Json* cell, const Json* per_iteration) {
  if (cell == nullptr || !cell->is_object()) {
    return std::nullopt;
  }
  BaselineTimes times;
  times.time_us = number_in(find_key(cell, {"time"}));
  times.algbw_gbs = number_in(find_key(cell, {"alg_bw", "algbw"}));
  times.busbw_gbs = number_in(find_key(cell, {"bus_bw", "busbw"}));
  if (const auto wrong = number_in(find_key(cell, {"nwrong", "wrong"})); wrong && *wrong >= 0) {
    times.wrong = static_cast<std::uint64_t>(std::min(*wrong, 9e18));
  }
  times.samples_us = samples_of(per_iteration);
  return times;
}

/// The first value of a row that cannot be read; empty: every one can.
std::string fault_of(const Json& result) {
  std::string fault = cell_fault("size", find_key(&result, {"size"}), CellForm::whole);
  const auto look = [&fault](const std::string& column, const Json* value, CellForm form) {
    fault = fault.empty() ? cell_fault(column, value, form) : fault;
  };
  look("count", find_key(&result, {"count"}), CellForm::whole);
  for (const std::string place : {"out_of_place", "in_place"}) {
    const Json* cell = find_key(&result, {place.c_str()});
    look(place + " time", find_key(cell, {"time"}), CellForm::measured);
    look(place + " alg_bw", find_key(cell, {"alg_bw", "algbw"}), CellForm::measured);
    look(place + " bus_bw", find_key(cell, {"bus_bw", "busbw"}), CellForm::measured);
    const std::string each = place + "_per_iter";
    const Json* times = find_key(find_key(&result, {each.c_str()}), {"times_us"});
    for (const Json& time : times != nullptr && times->is_array() ? *times : Json::array()) {
      look(each + " times_us", &time, CellForm::measured);
    }
  }
  return fault;
}

BaselineRow row_of(const Json& result) {
  BaselineRow row;
  row.size_bytes = whole_in(find_key(&result, {"size"}));
  row.count = whole_in(find_key(&result, {"count"}));
  row.datatype = datatype_of(text_in(find_key(&result, {"type"})));
  const std::string reduction = text_in(find_key(&result, {"redop"}));
  row.reduction = reduction == "none" ? "" : reduction;
  const std::optional<int> root = integer_in(find_key(&result, {"root"}));
  row.root = root.value_or(-1) >= 0 ? root : std::nullopt;
  row.out_of_place =
      cell_of(find_key(&result, {"out_of_place"}), find_key(&result, {"out_of_place_per_iter"}));
  row.in_place = cell_of(find_key(&result, {"in_place"}), find_key(&result, {"in_place_per_iter"}));
  return row;
}

std::vector<BaselineDevice> devices_of(const Json* list) {
  std::vector<BaselineDevice> devices;
  if (list == nullptr || !list->is_array()) {
    return devices;
  }
  for (const Json& item : *list) {
    BaselineDevice device;
    device.rank = integer_in(find_key(&item, {"rank"})).value_or(0);
    device.group = integer_in(find_key(&item, {"group"})).value_or(0);
    device.pid = integer_in(find_key(&item, {"pid"}));
    device.host = text_in(find_key(&item, {"hostname"}));
    device.device = integer_in(find_key(&item, {"device"}));
    device.bus_id = text_in(find_key(&item, {"device_hex"}));
    device.name = text_in(find_key(&item, {"device_info"}));
    devices.push_back(std::move(device));
  }
  return devices;
}

/// Only the first GPU of each process is listed: ranks are processes x threads x GPUs.
std::optional<int> ranks_of(const std::vector<BaselineDevice>& devices, const Json* config) {
  constexpr int most = 1 << 20;
  std::set<std::pair<std::string, int>> processes;
  for (const BaselineDevice& device : devices) {
    if (device.group == devices.front().group) {
      processes.emplace(device.host, device.pid.value_or(-1 - device.rank));
    }
  }
  const std::optional<int> threads = integer_in(find_key(config, {"nthreads"}));
  const std::optional<int> gpus = integer_in(find_key(config, {"ngpus"}));
  if (processes.empty() || !threads || !gpus || *threads < 1 || *gpus < 1 || *threads > most ||
      *gpus > most / *threads) {
    return std::nullopt;
  }
  const auto each = static_cast<std::size_t>(*threads) * static_cast<std::size_t>(*gpus);
  return processes.size() * each > most ? std::nullopt
                                        : std::optional(static_cast<int>(processes.size() * each));
}

void take_arguments(const std::vector<std::string>& words, BaselineRun& run) {
  if (!words.empty()) {
    run.operation = operation_of(words[0]);
  }
  run.registration = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_long = words[i] == "--local_register";
    if ((words[i] == "-R" || is_long) && i + 1 < words.size()) {
      const Json value = words[i + 1];
      run.registration = integer_in(&value);
    } else if (words[i].size() > 2 && words[i].starts_with("-R")) {
      const Json value = words[i].substr(2);
      run.registration = integer_in(&value);
    }
  }
}

void take_footers(const Json& document, BaselineRun& run) {
  const Json* bounds = find_key(&document, {"out_of_bounds"});
  const std::optional<std::uint64_t> count = whole_in(find_key(bounds, {"count"}));
  const std::optional<bool> okay = flag_in(find_key(bounds, {"okay"}));
  if (count && okay) {
    run.out_of_bounds = OutOfBounds{*count, *okay};
  }
  const Json* average = find_key(&document, {"average_bus_bandwidth", "average_bus_bandwidith"});
  run.average_busbw = number_in(find_key(average, {"bandwidth", "bandwidith"}));
}

std::string first_error(const Json& document) {
  for (const std::string& error : texts_in(find_key(&document, {"errors"}))) {
    if (!error.empty()) {
      return error;
    }
  }
  return "";
}

BaselineRun run_of(const Json& document, RowFaults& faults) {
  BaselineRun run;
  run.tool = "nccl-tests";
  run.started_at = text_in(find_key(&document, {"start_time"}));
  run.nccl_version = integer_in(find_key(&document, {"nccl_version"}));
  const Json* args = find_key(&document, {"args"});
  if (args != nullptr) {
    take_arguments(texts_in(args), run);
  }
  const Json* config = find_key(&document, {"config"});
  run.devices = devices_of(find_key(config, {"devices"}));
  run.ranks = ranks_of(run.devices, config);
  run.warmup = integer_in(find_key(config, {"warmup_iters"}));
  run.iterations = integer_in(find_key(config, {"iterations"}));
  run.aggregated = integer_in(find_key(config, {"aggregated_iterations"}));
  run.validation = flag_in(find_key(config, {"validation"}));
  run.graph = integer_in(find_key(config, {"graph"}));
  const Json* results = find_key(&document, {"results"});
  std::size_t number = 0;
  for (const Json& result : results != nullptr && results->is_array() ? *results : Json::array()) {
    ++number;
    if (const std::string fault = fault_of(result); !fault.empty()) {
      faults.add(fmt::format("row {} of results", number), fault);
    } else {
      run.rows.push_back(row_of(result));
    }
  }
  take_footers(document, run);
  const auto listed = static_cast<int>(run.devices.size());
  if (listed > 0 && listed < run.ranks.value_or(0)) {
    run.notes.push_back(
        {"UNKNOWN",
         fmt::format("{} of {} GPUs listed: what the others are is not said", listed, *run.ranks)});
  }
  return run;
}

bool recognizes(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\"results\"") != std::string_view::npos &&
         text.find("\"config\"") != std::string_view::npos;
}

Baseline read(std::string_view text) {
  const Json document =
      parse_whole(text, "nccl-tests leaves that when it dies; its text output still has the rows");
  Baseline baseline;
  RowFaults faults;
  BaselineRun run = run_of(document, faults);
  const std::optional<int> version = integer_in(find_key(&document, {"version"}));
  if (version && (*version < 1 || *version > 3)) {
    run.notes.push_back(
        {"UNKNOWN", fmt::format("JSON version {}; 1 to 3 are known here", *version)});
  }
  const Json* results = find_key(&document, {"results"});
  for (const Json& result : results != nullptr && results->is_array() ? *results : Json::array()) {
    if (find_key(find_key(&result, {"out_of_place"}), {"cpu_time"}) != nullptr) {
      run.notes.push_back({"UNKNOWN",
                           "times are those of the host's calls (-C), not of the operations; they "
                           "are left out"});
      break;
    }
  }
  RunFacts facts;
  facts.failure = first_error(document);
  facts.unreadable = faults.count() > 0 ? faults.text() : "";
  judge_run(run, facts);
  baseline.runs.push_back(std::move(run));
  return baseline;
}

}  // namespace

const BaselineReader& nccl_tests_json() {
  static constexpr BaselineReader entry{
      "nccl-tests-json", "JSON of nccl-tests -J, versions 1 to 3", &recognizes, &read};
  return entry;
}

}  // namespace viaduct::baselines
