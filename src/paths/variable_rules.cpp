#include "paths/variable_rules.hpp"

#include "core/copy_operation.hpp"
#include "core/staged_path.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace viaduct {

namespace {

bool starts_with_any(std::string_view name,
                     const std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [name](std::string_view prefix) {
    return name.starts_with(prefix);
  });
}

bool is_one_of(std::string_view name, const std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool chooses_nccl_path(std::string_view name) {
  return starts_with_any(name, {"NCCL_P2P_", "NCCL_NET_GDR_"}) ||
         is_one_of(name,
                   {"NCCL_SHM_DISABLE",
                    "NCCL_NET_DISABLE_INTRA",
                    "NCCL_IB_DISABLE",
                    "NCCL_MNNVL_ENABLE",
                    "NCCL_WIN_ENABLE",
                    "NCCL_ALGO",
                    "NCCL_PROTO",
                    "NCCL_NVLS_ENABLE",
                    transport_variable});
}

/// pml, mtl and btl choose the transport; smsc is where Open MPI 5 keeps the single-copy mechanism.
bool chooses_mpi_path(std::string_view name) {
  return is_one_of(name,
                   {"OMPI_MCA_pml",
                    "OMPI_MCA_mtl",
                    "OMPI_MCA_btl",
                    "OMPI_MCA_smsc",
                    "OMPI_MCA_btl_vader_single_copy_mechanism",
                    "OMPI_MCA_btl_sm_single_copy_mechanism"});
}

}  // namespace

bool chooses_path(std::string_view variable, Engine engine) {
  switch (engine) {
    case Engine::nccl:
      return chooses_nccl_path(variable);
    case Engine::mpi:
      return chooses_mpi_path(variable);
    case Engine::copy:
      return variable == copy_route_variable;
  }
  return false;
}

bool is_owned(std::string_view variable) {
  return is_one_of(variable,
                   {"NCCL_DEBUG",
                    "NCCL_DEBUG_SUBSYS",
                    "NCCL_DEBUG_FILE",
                    "NCCL_RAS_ADDR",
                    "CUDA_VISIBLE_DEVICES"});
}

bool is_nccl_zero(const std::string& value) {
  errno = 0;
  return !value.empty() && std::strtoll(value.c_str(), nullptr, 0) == 0 && errno == 0;
}

bool is_variable_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto is_inner = [&is_letter](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), is_inner);
}

}  // namespace viaduct
