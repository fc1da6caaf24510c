#include "config/value_words.hpp"

#include "config/limits.hpp"
#include "config/text_file.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace viaduct {

namespace {

constexpr const char* every = "all";

/// Weights travel with each case: this many ranks are 2 MB.
constexpr std::size_t most_ranks = 512;

double read_weight(const std::string& word, const std::string& file, std::size_t line) {
  double weight = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, weight);
  if (failure != std::errc{} || stop != end || !std::isfinite(weight) || weight < 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}:{}: '{}' is not a weight; write a number of 0 or more", file, line, word));
  }
  return weight;
}

std::vector<double> read_row(std::string text, const std::string& file, std::size_t line) {
  text = text.substr(0, text.find('#'));
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::vector<double> row;
  for (std::string word; words >> word;) {
    row.push_back(read_weight(word, file, line));
  }
  return row;
}

void expect_square(std::size_t rows, std::size_t columns, const std::string& file) {
  if (rows != columns || rows == 0) {
    throw Error(ErrorKind::usage,
                fmt::format("{} holds {} lines of {} weights; as many lines as weights are needed, "
                            "one for each rank",
                            file,
                            rows,
                            columns));
  }
  if (rows > most_ranks) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is for {} ranks; at most {} are read", file, rows, most_ranks));
  }
}

/// "traffic/skew.txt" -> "skew.txt".
std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

Traffic read_matrix(const std::string& file) {
  std::istringstream text(read_text_file(file, "file of traffic"));
  Traffic traffic{.name = file_name(file)};
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    const std::vector<double> row = read_row(line, file, ++number);
    if (row.empty()) {
      continue;
    }
    if (rows > 0 && row.size() != columns) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}:{}: {} weights, where the lines before have {}",
                              file,
                              number,
                              row.size(),
                              columns));
    }
    columns = row.size();
    ++rows;
    traffic.weights.insert(traffic.weights.end(), row.begin(), row.end());
  }
  expect_square(rows, columns, file);
  // Sums of them must be numbers too, for any number of ranks.
  constexpr double largest = 1e30;
  if (std::any_of(traffic.weights.begin(), traffic.weights.end(), [](double w) {
        return w > largest || (w > 0 && w < 1 / largest);
      })) {
    throw Error(ErrorKind::usage,
                file + ": weights are 0, or from 1e-30 to 1e30; only their ratios matter");
  }
  if (std::all_of(
          traffic.weights.begin(), traffic.weights.end(), [](double w) { return w == 0; })) {
    throw Error(ErrorKind::usage, file + ": every weight is 0, so nothing would be sent");
  }
  return traffic;
}

}  // namespace

std::vector<Datatype> datatypes_of_word(const std::string& word) {
  return word == every ? all_datatypes() : std::vector<Datatype>{parse_datatype(word)};
}

std::vector<ReduceOp> reductions_of_word(const std::string& word) {
  return word == every ? all_reduce_ops() : std::vector<ReduceOp>{parse_reduce_op(word)};
}

std::uint64_t smallest_element(const std::vector<Datatype>& datatypes) {
  std::size_t least = element_bytes(datatypes.empty() ? Datatype::float32 : datatypes.front());
  for (const Datatype datatype : datatypes) {
    least = std::min(least, element_bytes(datatype));
  }
  return least;
}

std::vector<int> roots_of_word(const std::string& word) {
  if (word == every || word == "-1") {
    return {};
  }
  std::uint64_t root = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, root);
  if (failure != std::errc{} || stop != end || root > limits::ranks) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is not a root; write a rank from 0 on, or all (or -1) for every "
                            "rank",
                            word));
  }
  return {static_cast<int>(root)};
}

std::vector<int> roots_of_words(const std::vector<std::string>& words) {
  std::vector<int> roots;
  for (const std::string& word : words) {
    const std::vector<int> more = roots_of_word(word);
    if (more.empty()) {
      return {};
    }
    roots.insert(roots.end(), more.begin(), more.end());
  }
  return roots;
}

Traffic traffic_of_word(const std::string& word) {
  if (word == "uniform" || word == "skewed") {
    return Traffic{.name = word};
  }
  std::error_code failure;
  const bool is_plain = word.find_first_of("./") == std::string::npos;
  if (is_plain && !std::filesystem::exists(word, failure)) {
    throw Error(ErrorKind::usage,
                unknown_name_message("traffic", word, {"uniform", "skewed"}) +
                    "; nor is there a file of that name");
  }
  return read_matrix(word);
}

void expect_offset(std::uint64_t offset_bytes) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20U;
  if (offset_bytes > largest) {
    throw Error(ErrorKind::usage,
                fmt::format("{} bytes are no misalignment; write a size up to 1M, such as 4 or 4K",
                            offset_bytes));
  }
}

}  // namespace viaduct
