#include "baselines/operation_name.hpp"

#include "core/datatype.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace viaduct {
namespace {

enum class SizeIs { of_one_rank, total };
enum class Factor { one, others, all_reduce };

struct KnownOperation {
  const char* name;
  const char* letters;  ///< lower case, without '_'
  bool reduces;
  bool has_root;
  SizeIs size;
  Factor factor;
};

constexpr KnownOperation operations[] = {
    {"all_reduce", "allreduce", true, false, SizeIs::of_one_rank, Factor::all_reduce},
    {"all_gather", "allgather", false, false, SizeIs::total, Factor::others},
    {"reduce_scatter", "reducescatter", true, false, SizeIs::total, Factor::others},
    {"alltoall", "alltoall", false, false, SizeIs::total, Factor::others},
    {"alltoallv", "alltoallv", false, false, SizeIs::total, Factor::others},
    {"broadcast", "broadcast", false, true, SizeIs::of_one_rank, Factor::one},
    {"reduce", "reduce", true, true, SizeIs::of_one_rank, Factor::one},
    {"gather", "gather", false, true, SizeIs::total, Factor::others},
    {"scatter", "scatter", false, true, SizeIs::total, Factor::others},
    {"sendrecv", "sendrecv", false, false, SizeIs::of_one_rank, Factor::one},
    {"hypercube", "hypercube", false, false, SizeIs::total, Factor::one},
};

double factor_of(Factor factor, int ranks) {
  const double n = ranks;
  switch (factor) {
    case Factor::others:
      return (n - 1) / n;
    case Factor::all_reduce:
      return 2 * (n - 1) / n;
    case Factor::one:
      break;
  }
  return 1;
}

bool fits_columns(const KnownOperation& operation,
                  const BaselineRun& run,
                  const KeyColumns& columns) {
  if (!columns.are_uniform) {
    // alltoall had the column of the reduction with nothing in it; alltoallv was not there yet.
    const bool has_blank = std::string_view(operation.name) == "alltoall";
    return std::string_view(operation.name) != "alltoallv" &&
           columns.has_reduction == (operation.reduces || has_blank) &&
           columns.has_root == operation.has_root &&
           std::all_of(run.rows.begin(), run.rows.end(), [&](const BaselineRow& row) {
             return row.reduction.empty() != operation.reduces;
           });
  }
  // sendrecv prints a reduction that it does not have.
  const bool may_print = operation.reduces || std::string_view(operation.name) == "sendrecv";
  return std::all_of(run.rows.begin(), run.rows.end(), [&](const BaselineRow& row) {
    return (row.reduction.empty() ? !operation.reduces : may_print) &&
           row.root.has_value() == operation.has_root;
  });
}

bool fits_sizes(const KnownOperation& operation, const BaselineRun& run) {
  return std::all_of(run.rows.begin(), run.rows.end(), [&](const BaselineRow& row) {
    const auto bytes = bytes_of_type(row.datatype);
    if (!bytes || !row.count || !row.size_bytes) {
      return true;
    }
    const std::uint64_t of_count = *row.count * *bytes;
    if (operation.size == SizeIs::of_one_rank || *row.size_bytes == 0) {
      return *row.size_bytes == of_count;
    }
    return run.ranks ? *row.size_bytes == of_count * static_cast<std::uint64_t>(*run.ranks)
                     : *row.size_bytes > of_count;
  });
}

bool fits_factor(const KnownOperation& operation, const BaselineRun& run) {
  constexpr double tolerance = 0.02;
  const std::optional<double> factor = measured_factor(run);
  if (!factor) {
    return true;
  }
  if (run.ranks) {
    return std::abs(factor_of(operation.factor, *run.ranks) - *factor) < tolerance;
  }
  const bool below_one = *factor < 1 - tolerance;
  const bool above_one = *factor > 1 + tolerance;
  return operation.factor == Factor::all_reduce ? !below_one
         : operation.factor == Factor::others   ? !above_one && below_one
                                                : !below_one && !above_one;
}

}  // namespace

std::string operation_of(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  word = slash == std::string_view::npos ? word : word.substr(slash + 1);
  for (const std::string_view ending : {"_perf_mpi", "_perf", "_test", ".cu", ".cpp"}) {
    if (word.ends_with(ending)) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  std::string letters;
  for (const char c : word) {
    if (c != '_') {
      letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  for (const KnownOperation& operation : operations) {
    if (letters == operation.letters) {
      return operation.name;
    }
  }
  return "";
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const KnownOperation& operation : operations) {
    names.emplace_back(operation.name);
  }
  return names;
}

std::string datatype_of(std::string_view word) {
  if (word == "char" || word == "int") {
    return word == "char" ? "int8" : "int32";
  }
  if (word == "fp8_e4m3" || word == "fp8_e5m2") {
    return word == "fp8_e4m3" ? "float8e4m3" : "float8e5m2";
  }
  try {
    return name(parse_datatype(word));
  } catch (const Error&) {
    return std::string(word);
  }
}

std::optional<std::uint64_t> bytes_of_type(const std::string& datatype) {
  for (const Datatype type : all_datatypes()) {
    if (datatype == name(type)) {
      return element_bytes(type);
    }
  }
  return std::nullopt;
}

std::optional<double> bus_factor_of(const std::string& operation, int ranks) {
  for (const KnownOperation& known : operations) {
    if (operation == known.name && ranks > 1) {
      return factor_of(known.factor, ranks);
    }
  }
  return std::nullopt;
}

SizeAndCount size_and_count(const BaselineRow& row,
                            const std::string& operation,
                            std::optional<int> ranks) {
  SizeAndCount known{row.size_bytes, row.count};
  const std::optional<std::uint64_t> bytes = bytes_of_type(row.datatype);
  const auto* const found = std::find_if(
      std::begin(operations), std::end(operations), [&operation](const KnownOperation& one) {
        return operation == one.name;
      });
  if (!bytes || found == std::end(operations)) {
    return known;
  }
  const bool is_total = found->size == SizeIs::total;
  if (is_total && ranks.value_or(0) < 1) {
    return known;
  }
  const std::uint64_t per_element = *bytes * (is_total ? static_cast<std::uint64_t>(*ranks) : 1U);
  if (!known.size_bytes && known.count && *known.count <= UINT64_MAX / per_element) {
    known.size_bytes = *known.count * per_element;
  } else if (!known.count && known.size_bytes && *known.size_bytes % per_element == 0) {
    known.count = *known.size_bytes / per_element;
  }
  return known;
}

std::optional<double> measured_factor(const BaselineRun& run) {
  constexpr double least_told_gbs = 0.5;  // two decimals: 1 % of it
  std::vector<double> factors;
  for (const BaselineRow& row : run.rows) {
    for (const BaselineTimes* cell : cells_of(row)) {
      if (cell->algbw_gbs && cell->busbw_gbs && *cell->algbw_gbs >= least_told_gbs) {
        factors.push_back(*cell->busbw_gbs / *cell->algbw_gbs);
      }
    }
  }
  if (factors.empty()) {
    return std::nullopt;
  }
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2);
  std::nth_element(factors.begin(), middle, factors.end());
  return *middle;
}

std::string deduced_operation(const BaselineRun& run, const KeyColumns& columns) {
  std::string found;
  const bool has_sizes = std::any_of(run.rows.begin(), run.rows.end(), [](const BaselineRow& row) {
    return row.size_bytes.value_or(0) > 0;
  });
  for (const KnownOperation& operation : operations) {
    if (has_sizes && fits_columns(operation, run, columns) && fits_sizes(operation, run) &&
        fits_factor(operation, run)) {
      if (!found.empty()) {
        return "";
      }
      found = operation.name;
    }
  }
  return found;
}

}  // namespace viaduct
