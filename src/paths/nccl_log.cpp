#include "paths/nccl_log.hpp"

#include "core/name_table.hpp"

#include <array>

namespace viaduct {

const char* name(LogTransport transport) {
  static constexpr std::array table{Named<LogTransport>{LogTransport::p2p, "P2P"},
                                    Named<LogTransport>{LogTransport::shm, "SHM"},
                                    Named<LogTransport>{LogTransport::net, "NET"},
                                    Named<LogTransport>{LogTransport::collnet, "COLLNET"},
                                    Named<LogTransport>{LogTransport::nvls, "NVLS"}};
  return name_in(table, transport);
}

}  // namespace viaduct
