// libFuzzer target: the reader of NCCL logs, the join and what `viaduct evidence` prints.

#include "app/evidence_views.hpp"
#include "fuzz/nccl_log_entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const viaduct::NcclLog log = viaduct::fuzz::read_log_input(data, size);
  viaduct::fuzz::must(!viaduct::evidence_text(log).empty());
  viaduct::fuzz::must(viaduct::evidence_json(log).front() == '{');
  return 0;
}
