#pragma once
// The three sides of one communicator, as one value. Must not know what stands behind them.

#include "transport/memory.hpp"
#include "transport/timeline.hpp"
#include "transport/transport.hpp"

namespace viaduct {

/// References outlive whoever holds this.
struct Device {
  Transport& transport;
  Memory& memory;
  Timeline& timeline;
};

}  // namespace viaduct
