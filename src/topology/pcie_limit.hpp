#pragma once
// What a PCIe link can carry in one direction.
//
// Sources: PCI Express Base Specification. Rate of a lane 2.5, 5, 8, 16, 32, 64 GT/s in generation
// 1 to 6. Line code 8b/10b in 1 and 2, 128b/130b in 3 to 5; generation 6 has flits of 256 bytes of
// which 236 are packets. A packet of 256 bytes of data (the usual Max_Payload_Size) has 24 bytes
// more in generation 1 to 5 (header with a 64-bit address 16, framing and sequence number 4, LCRC
// 4) and 16 in generation 6. Acknowledgements and flow control are left out, so no link is faster.

#include "core/host_topology.hpp"
#include "topology/rate_limit.hpp"

#include <string>

namespace viaduct {

/// With the width that the link has now, and the generation that it can reach: an idle GPU steps
/// its generation down and up again, but keeps its width.
RateLimit pcie_limit(const PcieLink& link);

}  // namespace viaduct
