#include "probe/wire_meter.hpp"

namespace viaduct {

WireMeter::WireMeter(std::vector<std::shared_ptr<const NvmlDevice>> gpus, const std::string& sys) {
  for (std::shared_ptr<const NvmlDevice>& gpu : gpus) {
    readers_.emplace_back(std::move(gpu), sys);
  }
}

void WireMeter::start(NicShare nics) {
  nics_ = nics;
  before_ = read();
}

WireBytes WireMeter::stop() const {
  const std::vector<CounterReading> now = read();
  WireBytes sum = no_wire_bytes();
  for (std::size_t gpu = 0; gpu < now.size(); ++gpu) {
    WireBytes sent = sent_bytes(counter_delta(before_.at(gpu), now[gpu]));
    if (gpu > 0 || nics_ == NicShare::nothing) {
      sent.rdma = 0;
      sent.net = 0;
    }
    sum = sum + sent;
  }
  return sum;
}

/// The first answers for the NICs of the host.
std::vector<CounterReading> WireMeter::read() const {
  std::vector<CounterReading> readings;
  for (const CounterReader& reader : readers_) {
    const bool has_nics = readings.empty() && nics_ == NicShare::all;
    readings.push_back(has_nics ? reader.read() : reader.read_gpu());
  }
  return readings;
}

}  // namespace viaduct
