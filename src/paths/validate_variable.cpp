#include "core/copy_operation.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "core/staged_path.hpp"
#include "paths/effective_level.hpp"
#include "paths/presets.hpp"
#include "paths/variable_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <vector>

namespace viaduct {

namespace {

/// Variables that NCCL reads as a number, with the numbers that mean something; any other text
/// counts as 0 or as the default without a word.
struct NumberRule {
  std::string_view variable;
  std::string_view allowed;  ///< joined by "|"
};

constexpr std::array number_rules{
    NumberRule{"NCCL_P2P_DISABLE", "0|1"},
    NumberRule{"NCCL_P2P_DIRECT_DISABLE", "0|1"},
    NumberRule{"NCCL_P2P_READ_ENABLE", "0|1"},
    NumberRule{"NCCL_P2P_USE_CUDA_MEMCPY", "0|1"},
    NumberRule{"NCCL_IGNORE_DISABLED_P2P", "0|1|2"},
    NumberRule{"NCCL_SHM_DISABLE", "0|1"},
    NumberRule{"NCCL_NET_DISABLE_INTRA", "0|1"},
    NumberRule{"NCCL_NET_GDR_READ", "0|1"},
    NumberRule{"NCCL_IB_DISABLE", "0|1"},
    NumberRule{"NCCL_MNNVL_ENABLE", "0|1|2"},
    NumberRule{"NCCL_WIN_ENABLE", "0|1"},
    NumberRule{"NCCL_NVLS_ENABLE", "0|1|2"},
    NumberRule{"NCCL_PXN_DISABLE", "0|1"},
    NumberRule{"NCCL_LOCAL_REGISTER", "0|1|2"},
    NumberRule{"NCCL_GRAPH_REGISTER", "0|1"},
    NumberRule{"NCCL_RUNTIME_CONNECT", "0|1"},
    NumberRule{"NCCL_CUMEM_ENABLE", "0|1"},
    NumberRule{"NCCL_CUMEM_HOST_ENABLE", "0|1"},
    NumberRule{"NCCL_NET_GDR_C2C", "0|1"},
    NumberRule{"NCCL_PXN_C2C", "0|1"},
    NumberRule{"NCCL_NVB_DISABLE", "0|1"},
    NumberRule{"NCCL_DMABUF_ENABLE", "0|1"},
    NumberRule{"NCCL_COLLNET_ENABLE", "0|1"},
    NumberRule{"NCCL_MULTI_RANK_GPU_ENABLE", "0|1"},
};

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> names{
      "Tree", "Ring", "CollNet", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
  return names;
}

const std::vector<std::string>& protocol_names() {
  static const std::vector<std::string> names{"LL", "LL128", "Simple"};
  return names;
}

std::string with_case(std::string_view text, int (*change)(int)) {
  std::string changed;
  for (const char c : text) {
    changed += static_cast<char>(change(static_cast<unsigned char>(c)));
  }
  return changed;
}

[[noreturn]] void refuse(const std::string& variable,
                         const std::string& value,
                         const std::string& origin,
                         const std::string& right_form) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: {}='{}' would be ignored by NCCL without a word; {}",
                          origin,
                          variable,
                          value,
                          right_form));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void check_number(const NumberRule& rule, const std::string& value, const std::string& origin) {
  const std::vector<std::string> allowed = split(rule.allowed, '|');
  const long long number = std::strtoll(value.c_str(), nullptr, 0);
  if (number != 0 && std::to_string(number) != value) {
    // 0x1, 01, 1abc: NCCL reads what a number begins with.
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}='{}' is not written as a number, and NCCL would take it as {}; "
                            "write {}",
                            origin,
                            rule.variable,
                            value,
                            number,
                            fmt::join(allowed, " or ")));
  }
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    refuse(std::string(rule.variable),
           value,
           origin,
           fmt::format("write {}", fmt::join(allowed, " or ")));
  }
}

/// NCCL takes the names in upper case and old numbers, where anything above 4 means SYS.
void check_level(const std::string& variable, const std::string& value, const std::string& origin) {
  const std::vector<std::string>& names = p2p_level_names();
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const bool is_number = !value.empty() && std::all_of(value.begin(), value.end(), is_digit);
  if (is_number || std::find(names.begin(), names.end(), value) != names.end()) {
    return;
  }
  const std::string upper = with_case(value, std::toupper);
  if (std::find(names.begin(), names.end(), upper) != names.end()) {
    refuse(variable, value, origin, fmt::format("write {} in upper case", upper));
  }
  if (upper == "NODE") {
    refuse(variable, value, origin, "NODE is a word of nvidia-smi; NCCL's level for it is PHB");
  }
  const std::vector<std::string> near = nearest(upper, names);
  const std::string hint = near.empty() ? "" : fmt::format("did you mean {}? ", near.front());
  refuse(variable, value, origin, fmt::format("{}levels: {}", hint, fmt::join(names, ", ")));
}

/// A list of names, "^" in front of it for "all but these". Newer forms ("allreduce:ring;...") are
/// left to NCCL, which reports their faults itself.
void check_names(const std::string& variable,
                 const std::string& value,
                 const std::string& origin,
                 const std::vector<std::string>& names) {
  if (value.find_first_of(":;") != std::string::npos) {
    return;
  }
  const std::string list = value.starts_with('^') ? value.substr(1) : value;
  for (const std::string& word : split(list, ',')) {
    const auto is_word = [&word](const std::string& name) {
      return with_case(name, std::tolower) == with_case(word, std::tolower);
    };
    if (std::none_of(names.begin(), names.end(), is_word)) {
      refuse(variable, value, origin, fmt::format("names: {}", fmt::join(names, ", ")));
    }
  }
}

void check_name(const std::string& variable, const std::string& origin) {
  if (!is_variable_name(variable)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: '{}' is not the name of a variable; write letters, digits and _",
                            origin,
                            variable));
  }
  const std::string upper = with_case(variable, std::toupper);
  if (upper.starts_with("NCCL_") && upper != variable) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: variable '{}' is unknown to NCCL; write {} in upper case",
                            origin,
                            variable,
                            upper));
  }
}

void check_copy_route(const std::string& value, const std::string& origin) {
  try {
    static_cast<void>(parse_copy_route(value));
  } catch (const Error& error) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}: {}", origin, copy_route_variable, error.message()));
  }
}

void check_transport(const std::string& value, const std::string& origin) {
  if (value != nccl_transport_word && value != staged_transport_word) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}={} is unknown; write {} or {}",
                            origin,
                            transport_variable,
                            value,
                            nccl_transport_word,
                            staged_transport_word));
  }
}

}  // namespace

void validate_variable(const std::string& variable,
                       const std::string& value,
                       const std::string& origin) {
  check_name(variable, origin);
  if (value.find('\0') != std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the value of {} holds a zero byte", origin, variable));
  }
  for (const NumberRule& rule : number_rules) {
    if (rule.variable == variable) {
      check_number(rule, value, origin);
    }
  }
  if (variable == copy_route_variable) {
    check_copy_route(value, origin);
  }
  if (variable == transport_variable) {
    check_transport(value, origin);
  }
  if (variable == "NCCL_P2P_LEVEL" || variable == "NCCL_NET_GDR_LEVEL") {
    check_level(variable, value, origin);
  } else if (variable == "NCCL_ALGO") {
    check_names(variable, value, origin, algorithm_names());
  } else if (variable == "NCCL_PROTO") {
    check_names(variable, value, origin, protocol_names());
  }
}

}  // namespace viaduct
