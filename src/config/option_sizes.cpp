#include "config/option_sizes.hpp"

#include "config/option_values.hpp"
#include "config/plan_cases.hpp"
#include "core/error.hpp"
#include "core/size_text.hpp"
#include "core/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

constexpr std::uint64_t default_min = 8;
constexpr std::uint64_t default_max = 128UL * 1024UL * 1024UL;
constexpr std::array sweep_keys{"minbytes", "maxbytes", "stepfactor", "stepbytes"};

std::uint64_t size_option(const RunOptions& options,
                          const std::string& key,
                          std::uint64_t otherwise) {
  const auto found = options.values.find(key);
  return found == options.values.end() ? otherwise : parse_size(found->second, option_name(key));
}

bool asks_for_sweep(const RunOptions& options) {
  return std::any_of(sweep_keys.begin(), sweep_keys.end(), [&options](const char* key) {
    return options.has(key);
  });
}

std::vector<std::uint64_t> listed_sizes(const RunOptions& options) {
  if (asks_for_sweep(options)) {
    throw Error(ErrorKind::usage, "--sizes says all the sizes; leave -b, -e, -f and -i away");
  }
  std::vector<std::uint64_t> sizes;
  for (const std::string& word : word_list("--sizes", options.values.at("sizes"))) {
    sizes.push_back(parse_size(word, "--sizes"));
  }
  return sorted_sizes(std::move(sizes));
}

void read_growth(const RunOptions& options, Sweep& sweep) {
  if (options.has("stepfactor") && options.has("stepbytes")) {
    throw Error(ErrorKind::usage, "-f and -i are both given; keep one of them");
  }
  if (options.has("stepbytes")) {
    sweep.step_bytes = size_option(options, "stepbytes", 0);
    if (*sweep.step_bytes == 0) {
      throw Error(ErrorKind::usage,
                  "-i: a step of 0 bytes never reaches -e; write a size such as 1M");
    }
    return;
  }
  constexpr double default_factor = 2;
  sweep.factor = options.has("stepfactor") ? number_above("-f", options.values.at("stepfactor"), 1)
                                           : default_factor;
}

/// -b alone is one size; -e alone begins at 8 bytes.
Sweep sweep_of(const RunOptions& options, std::uint64_t element_size) {
  Sweep sweep;
  sweep.first_after_zero = element_size;
  sweep.min_bytes = size_option(options, "minbytes", default_min);
  const bool is_one_size =
      options.has("minbytes") && !options.has("stepfactor") && !options.has("stepbytes");
  sweep.max_bytes = size_option(options, "maxbytes", is_one_size ? sweep.min_bytes : default_max);
  if (sweep.min_bytes > sweep.max_bytes) {
    throw Error(ErrorKind::usage,
                fmt::format("-b {} is above -e {}; the smallest size comes with -b",
                            format_size(sweep.min_bytes),
                            format_size(sweep.max_bytes)));
  }
  read_growth(options, sweep);
  return sweep;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> sizes_of_options(const RunOptions& options,
                                                           std::uint64_t element_size) {
  if (options.has("sizes")) {
    return listed_sizes(options);
  }
  if (!asks_for_sweep(options)) {
    return std::nullopt;
  }
  return expand(sweep_of(options, element_size));
}

std::vector<std::uint64_t> default_copy_sizes() {
  return {16, std::uint64_t{64} << 10U, std::uint64_t{4} << 20U, std::uint64_t{256} << 20U};
}

std::vector<std::uint64_t> default_sizes() {
  Sweep sweep;
  sweep.min_bytes = default_min;
  sweep.max_bytes = default_max;
  sweep.factor = 2;
  return expand(sweep);
}

}  // namespace viaduct
