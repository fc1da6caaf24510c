// The part of the stand-in for libnvidia-ml.so.1 that old drivers lack: field values, links,
// clocks, events. What it answers is set by the test through fake_nvml_*. Written to NVML's ABI by
// offsets, not with the declarations under test.

#include <cstring>
#include <deque>
#include <map>
#include <tuple>

namespace {

constexpr int ok = 0;
constexpr int not_supported = 3;
constexpr int invalid_argument = 2;
constexpr int timed_out = 10;

constexpr int type_unsigned_int = 1;
constexpr int type_unsigned_long_long = 3;

constexpr std::size_t field_bytes = 40;
constexpr std::size_t scope_at = 4;
constexpr std::size_t type_at = 24;
constexpr std::size_t result_at = 28;
constexpr std::size_t value_at = 32;

struct Answer {
  int type = type_unsigned_long_long;
  int result = ok;
  unsigned long long value = 0;
};

using Key = std::tuple<int, unsigned, unsigned>;  // GPU, field, scope

struct State {
  std::map<Key, Answer> fields;
  unsigned links = 0;          // so many are up, beginning with link 0
  int all_calls = ok;          // what every call says
  bool refuses_lists = false;  // more than one field at once
  bool takes_events = true;
  unsigned remote = 2;     // what the links lead to: 0 the other GPU, 2 a switch
  unsigned ancestor = 50;  // of two GPUs
  int p2p = 0;
  unsigned long long reasons = 0;
  std::deque<unsigned long long> xids;
  int field_calls = 0;
  bool goes_too_far = false;   // answers the element behind the last one too
  int p2p_status[2] = {6, 6};  // from each GPU; 6: unknown
  int p2p_result[2] = {ok, ok};
};

State state;
int event_set = 0;

int index_of(const void* device) {
  return *static_cast<const int*>(device);
}

template <typename Value>
int give(Value* out, Value value) {
  if (state.all_calls == ok) {
    *out = value;
  }
  return state.all_calls;
}

void answer(const void* device, unsigned char* field) {
  unsigned id = 0;
  unsigned scope = 0;
  std::memcpy(&id, field, sizeof id);
  std::memcpy(&scope, field + scope_at, sizeof scope);
  const auto found = state.fields.find({index_of(device), id, scope});
  const Answer given =
      found == state.fields.end() ? Answer{0, not_supported, 0x5555555555555555} : found->second;
  std::memcpy(field + type_at, &given.type, sizeof given.type);
  std::memcpy(field + result_at, &given.result, sizeof given.result);
  std::memset(field + value_at, 0xAA, 8);
  const std::size_t bytes = given.type == type_unsigned_int ? 4 : 8;
  std::memcpy(field + value_at, &given.value, bytes);
}

}  // namespace

extern "C" {

void fake_nvml_p2p(int from, int status, int result) {
  state.p2p_status[from] = status;
  state.p2p_result[from] = result;
}

void fake_nvml_reset() {
  state = State{};
}

void fake_nvml_set(int gpu, unsigned field, unsigned scope, unsigned long long value) {
  state.fields[{gpu, field, scope}] = Answer{type_unsigned_long_long, ok, value};
}

void fake_nvml_set_typed(
    int gpu, unsigned field, unsigned scope, int type, unsigned long long bits) {
  state.fields[{gpu, field, scope}] = Answer{type, ok, bits};
}

void fake_nvml_fail(int gpu, unsigned field, unsigned scope, int result) {
  state.fields[{gpu, field, scope}] = Answer{0, result, 0};
}

void fake_nvml_links(unsigned count) {
  state.links = count;
}

void fake_nvml_remote(unsigned type) {
  state.remote = type;
}

void fake_nvml_between(unsigned ancestor, int p2p) {
  state.ancestor = ancestor;
  state.p2p = p2p;
}

void fake_nvml_all_calls(int result) {
  state.all_calls = result;
}

void fake_nvml_refuse_lists() {
  state.refuses_lists = true;
}

void fake_nvml_refuse_events() {
  state.takes_events = false;
}

void fake_nvml_reasons(unsigned long long reasons) {
  state.reasons = reasons;
}

void fake_nvml_xid(unsigned long long xid) {
  state.xids.push_back(xid);
}

void fake_nvml_go_too_far() {
  state.goes_too_far = true;
}

int fake_nvml_field_calls() {
  return state.field_calls;
}

int nvmlDeviceGetFieldValues(void* device, int count, void* values) {
  ++state.field_calls;
  if (state.all_calls != ok) {
    return state.all_calls;
  }
  if (state.refuses_lists && count > 1) {
    return invalid_argument;
  }
  auto* bytes = static_cast<unsigned char*>(values);
  for (int i = 0; i < count; ++i) {
    answer(device, bytes + static_cast<std::size_t>(i) * field_bytes);
  }
  if (state.goes_too_far) {
    // Whatever stands there: what NVML itself would have left alone must have room all the same.
    std::memset(bytes + static_cast<std::size_t>(count) * field_bytes, 0xAA, field_bytes);
  }
  return ok;
}

int nvmlDeviceGetNvLinkState(void*, unsigned link, unsigned* is_active) {
  constexpr unsigned links_of_this_gpu = 18;
  if (link >= links_of_this_gpu) {
    return invalid_argument;
  }
  return give(is_active, link < state.links ? 1U : 0U);
}

int nvmlDeviceGetNvLinkVersion(void*, unsigned, unsigned* version) {
  return give(version, 6U);
}

int nvmlDeviceGetNvLinkRemoteDeviceType(void*, unsigned, unsigned* type) {
  return give(type, state.remote);
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned, void* info) {
  constexpr std::size_t bus_id_at = 36;
  auto* bytes = static_cast<char*>(info);
  std::memset(bytes, 'x', bus_id_at);
  std::strcpy(bytes + bus_id_at, index_of(device) == 0 ? "00010000:AE:00.0" : "00000000:17:00.0");
  return state.all_calls;
}

int nvmlDeviceGetTopologyCommonAncestor(void*, void*, unsigned* level) {
  return give(level, state.ancestor);
}

/// Reading is one answer for all; NVLink one for each GPU that asks.
int nvmlDeviceGetP2PStatus(void* from, void* to, int capability, int* status) {
  constexpr int read = 0;
  constexpr int nvlink = 2;
  if (capability == read) {
    return give(status, state.p2p);
  }
  if (from == to || capability != nvlink) {
    return invalid_argument;
  }
  *status = state.p2p_status[index_of(from)];
  return state.p2p_result[index_of(from)];
}

int nvmlDeviceGetClockInfo(void*, int clock, unsigned* mhz) {
  return give(mhz, clock == 1 ? 1755U : 3201U);
}

int nvmlDeviceGetMaxClockInfo(void*, int clock, unsigned* mhz) {
  return give(mhz, clock == 1 ? 1980U : 3202U);
}

int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  return give(celsius, 41U);
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  return give(milliwatts, 312500U);
}

int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) {
  return give(milliwatts, 700000U);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  return give(reasons, state.reasons);
}

/// [0] CPU time in us, [1] ns held down.
int nvmlDeviceGetViolationStatus(void*, int policy, unsigned long long* time) {
  if (policy != 0) {
    return not_supported;
  }
  time[0] = 1;
  time[1] = 7000000;
  return state.all_calls;
}

int nvmlDeviceGetTotalEccErrors(void*, int type, int counter, unsigned long long* count) {
  return counter == 0 ? give(count, type == 0 ? 5ULL : 6ULL) : not_supported;
}

int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* generation) {
  return give(generation, 4U);
}

int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* generation) {
  return give(generation, 5U);
}

int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* width) {
  return give(width, 8U);
}

int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* width) {
  return give(width, 16U);
}

int nvmlEventSetCreate(void** set) {
  *set = &event_set;
  return state.all_calls;
}

int nvmlEventSetFree(void*) {
  return ok;
}

int nvmlDeviceRegisterEvents(void*, unsigned long long types, void* set) {
  constexpr unsigned long long xid_event = 8;
  if (types != xid_event || set != &event_set) {
    return invalid_argument;
  }
  return state.takes_events ? ok : not_supported;
}

int nvmlEventSetWait_v2(void*, unsigned char* data, unsigned timeout_ms) {
  constexpr std::size_t event_type_at = 8;
  constexpr std::size_t event_data_at = 16;
  if (state.xids.empty() || timeout_ms != 0) {
    return timed_out;
  }
  const unsigned long long type = 8;
  std::memcpy(data + event_type_at, &type, sizeof type);
  std::memcpy(data + event_data_at, &state.xids.front(), sizeof state.xids.front());
  state.xids.pop_front();
  return ok;
}
}
