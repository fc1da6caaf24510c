#include "launch/passed_variables.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace viaduct {

namespace {

constexpr std::array job_prefixes{std::string_view("NCCL_"),
                                  std::string_view("UCX_"),
                                  std::string_view("FI_"),
                                  std::string_view("CUDA_")};
constexpr std::array loader_names{std::string_view("LD_LIBRARY_PATH"),
                                  std::string_view("LD_PRELOAD")};

bool is_of_the_job(std::string_view name) {
  const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
  const bool is_loaders =
      std::find(loader_names.begin(), loader_names.end(), name) != loader_names.end();
  return name != "CUDA_VISIBLE_DEVICES" &&
         (is_loaders || std::any_of(job_prefixes.begin(), job_prefixes.end(), begins));
}

bool is_name(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view digits = "0123456789";
  return !name.empty() && digits.find(name.front()) == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return letters.find(c) != std::string_view::npos ||
                  digits.find(c) != std::string_view::npos;
         });
}

}  // namespace

std::vector<std::string> variables_of_the_job(const std::vector<std::string>& names) {
  std::vector<std::string> passed;
  std::copy_if(names.begin(), names.end(), std::back_inserter(passed), is_of_the_job);
  return passed;
}

std::vector<Export> parse_exports(const std::vector<std::string>& words, const LaunchFacts& facts) {
  std::vector<Export> exports;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    Export one{word.substr(0, equals)};
    if (!is_name(one.name)) {
      throw Error(ErrorKind::usage,
                  fmt::format("-x {}: '{}' is no name of a variable; the right form is -x NAME or "
                              "-x NAME=VALUE",
                              word,
                              one.name));
    }
    if (equals != std::string::npos) {
      one.has_value = true;
      one.value = word.substr(equals + 1);
    } else if (!facts.has_variable(one.name)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("-x {}: this variable is not set here; give -x {}=VALUE", word, one.name));
    }
    exports.push_back(std::move(one));
  }
  return exports;
}

}  // namespace viaduct
