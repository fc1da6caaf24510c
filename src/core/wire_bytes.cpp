#include "core/wire_bytes.hpp"

namespace viaduct {

namespace {

std::optional<double> sum_of(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> value_of(const ByteDelta& delta) {
  return delta.bytes ? std::optional(static_cast<double>(*delta.bytes)) : std::nullopt;
}

std::optional<double> sent_by(const std::vector<NicDelta>& nics, bool is_rdma) {
  std::optional<double> sum;
  for (const NicDelta& nic : nics) {
    if (nic.is_rdma != is_rdma) {
      continue;
    }
    if (!nic.sent.bytes) {
      return std::nullopt;
    }
    sum = sum.value_or(0) + static_cast<double>(*nic.sent.bytes);
  }
  return sum;
}

}  // namespace

WireBytes no_wire_bytes() {
  return WireBytes{.nvlink = 0, .pcie = 0, .rdma = 0, .net = 0};
}

WireBytes operator+(const WireBytes& a, const WireBytes& b) {
  return WireBytes{.nvlink = sum_of(a.nvlink, b.nvlink),
                   .pcie = sum_of(a.pcie, b.pcie),
                   .rdma = sum_of(a.rdma, b.rdma),
                   .net = sum_of(a.net, b.net)};
}

WireBytes sent_bytes(const CounterDelta& delta) {
  return WireBytes{.nvlink = value_of(delta.nvlink_tx),
                   .pcie = value_of(delta.pcie_tx),
                   .rdma = sent_by(delta.nics, true),
                   .net = sent_by(delta.nics, false)};
}

}  // namespace viaduct
