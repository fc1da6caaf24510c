#include "paths/path_requirement.hpp"

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

struct Form {
  std::string_view text;
  PathRequirement requirement;
  bool between_hosts = true;
};

constexpr std::string_view socket_kind = "Socket";

const std::array<Form, 7>& forms() {
  static const std::array<Form, 7> all{
      Form{"P2P", {LogTransport::p2p, false, GpuDirect::unknown}},
      Form{"NVLS", {LogTransport::nvls, false, GpuDirect::unknown}, false},
      Form{"SHM", {LogTransport::shm, false, GpuDirect::unknown}, false},
      Form{"NET", {LogTransport::net, false, GpuDirect::unknown}},
      Form{"NET/Socket", {LogTransport::net, true, GpuDirect::unknown}},
      Form{"NET/GDRDMA", {LogTransport::net, false, GpuDirect::yes}},
      Form{"NET/no GDRDMA", {LogTransport::net, false, GpuDirect::no}},
  };
  return all;
}

bool is_by_socket(const PathUse& use) {
  return use.detail == socket_kind || use.detail.starts_with(std::string(socket_kind) + "/");
}

/// "IB" of "IB/0".
std::string network_of(const PathUse& use) {
  return use.detail.substr(0, use.detail.rfind('/'));
}

std::string gdrdma_text(const PathUse& use) {
  const bool sends = use.send_gdrdma == GpuDirect::yes;
  const bool receives = use.receive_gdrdma == GpuDirect::yes;
  if (sends && receives) {
    return "/GDRDMA";
  }
  if (sends || receives) {
    return sends ? "/GDRDMA at the sender" : "/GDRDMA at the receiver";
  }
  return "";
}

UseJudgement judge_gdrdma(GpuDirect wanted, const PathUse& use) {
  if (is_by_socket(use) && wanted == GpuDirect::yes) {
    return {UseState::unknown, "sockets know no GPUDirect RDMA"};
  }
  const GpuDirect unwanted = wanted == GpuDirect::yes ? GpuDirect::no : GpuDirect::yes;
  if (use.send_gdrdma == unwanted || use.receive_gdrdma == unwanted) {
    return {UseState::contradicts, ""};
  }
  if (!use.has_send_line || !use.has_receive_line) {
    return {UseState::unknown,
            use.has_send_line ? "the receiver wrote no line" : "the sender wrote no line"};
  }
  if (use.send_gdrdma != wanted || use.receive_gdrdma != wanted) {
    return {UseState::unknown, "the lines of one end differ in GDRDMA"};
  }
  return {UseState::fits, ""};
}

}  // namespace

std::optional<PathRequirement> find_requirement(std::string_view text) {
  const auto found = std::find_if(
      forms().begin(), forms().end(), [text](const Form& form) { return form.text == text; });
  return found == forms().end() ? std::nullopt : std::optional(found->requirement);
}

std::vector<std::string> allowed_requirements(std::string_view key) {
  if (key == "nvlink") {
    return {"none"};
  }
  std::vector<std::string> allowed;
  for (const Form& form : forms()) {
    if (key == "same_host" || (key == "other_host" && form.between_hosts)) {
      allowed.emplace_back(form.text);
    }
  }
  return allowed;
}

std::string transport_text(const PathUse& use) {
  std::string text = name(use.transport);
  const bool is_network =
      use.transport == LogTransport::net || use.transport == LogTransport::collnet;
  if (is_network) {
    return text + "/" + network_of(use) + gdrdma_text(use) + (use.pci ? "(PCI)" : "");
  }
  // The heads of an NVLS group are no kind of path.
  return use.transport == LogTransport::nvls || use.detail.empty() ? text : text + "/" + use.detail;
}

UseJudgement judge_use(const PathRequirement& requirement, const PathUse& use) {
  if (use.transport != requirement.transport || (requirement.by_socket && !is_by_socket(use))) {
    return {UseState::contradicts, ""};
  }
  if (requirement.gdrdma == GpuDirect::unknown) {
    return {UseState::fits, ""};
  }
  return judge_gdrdma(requirement.gdrdma, use);
}

}  // namespace viaduct
