#include "probe/nvml_device.hpp"

#include "core/error.hpp"
#include "probe/gpus.hpp"
#include "probe/nvml_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace viaduct {

namespace {

template <typename Value>
Value value_as(const nvml::FieldValue& field) {
  Value value{};
  std::memcpy(&value, static_cast<const void*>(field.value), sizeof value);
  return value;
}

template <typename Value>
std::optional<std::uint64_t> unless_negative(Value value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

std::optional<std::uint64_t> number_in(const nvml::FieldValue& field) {
  switch (static_cast<nvml::ValueType>(field.type)) {
    case nvml::ValueType::real:
      return unless_negative(value_as<double>(field));
    case nvml::ValueType::unsigned_int:
      return value_as<unsigned int>(field);
    case nvml::ValueType::unsigned_long:
      return value_as<unsigned long>(field);
    case nvml::ValueType::unsigned_long_long:
      return value_as<unsigned long long>(field);
    case nvml::ValueType::signed_long_long:
      return unless_negative(value_as<long long>(field));
    case nvml::ValueType::signed_int:
      return unless_negative(value_as<int>(field));
    case nvml::ValueType::unsigned_short:
      return value_as<unsigned short>(field);
  }
  return std::nullopt;
}

void take_answer(NvmlField& field, const nvml::FieldValue& answer, const nvml::Library& library) {
  if (answer.result != nvml::success) {
    field.why_not = library.words_for(answer.result);
    return;
  }
  field.value = number_in(answer);
  if (!field.value) {
    field.why_not = fmt::format("field {} has no number (type {})", field.id, answer.type);
  }
}

}  // namespace

NvmlDevice::NvmlDevice(const std::string& bus_id, const std::string& library) {
  try {
    library_ = std::make_unique<nvml::Library>(library);
    find(bus_id);
  } catch (const Error& error) {
    why_not_ = error.message();
  }
}

void NvmlDevice::find(const std::string& bus_id) {
  const std::string wanted = short_bus_id(bus_id);
  unsigned int count = 0;
  const int counted = library_->device_count(&count);
  if (counted != nvml::success) {
    why_not_ = fmt::format("NVML cannot count GPUs: {}", library_->words_for(counted));
    return;
  }
  why_not_ = fmt::format("NVML sees no GPU {}", bus_id);
  for (unsigned int index = 0; index < count; ++index) {
    nvml::Device device = nullptr;
    nvml::PciInfo pci{};
    const int result = library_->device_by_index(index, &device);
    if (result != nvml::success || library_->device_pci_info(device, &pci) != nvml::success) {
      why_not_ += fmt::format("; GPU {}: {}", index, library_->words_for(result));
      continue;
    }
    pci.bus_id[sizeof pci.bus_id - 1] = '\0';
    if (short_bus_id(pci.bus_id) == wanted) {
      device_ = device;
      why_not_.clear();
      return;
    }
  }
}

void NvmlDevice::ask(std::vector<NvmlField>& fields) const {
  const bool can_ask = is_open() && library_->field_values != nullptr;
  // NVML 580 goes one element too far where NVLink fields stand last: memory there that looks like
  // a question gets an answer, which corrupted the heap on H200. One that has failed is left alone.
  constexpr std::size_t room_behind = 2;
  constexpr nvml::FieldValue failed{.result = nvml::unknown_error};
  std::vector<nvml::FieldValue> values(fields.size() + room_behind, failed);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    values[i] = nvml::FieldValue{.field = fields[i].id, .scope = fields[i].scope};
    fields[i].value.reset();
    fields[i].why_not = is_open() ? "NVML has no nvmlDeviceGetFieldValues" : why_not_;
  }
  if (!can_ask || fields.empty()) {
    return;
  }
  const int all = library_->field_values(device_, static_cast<int>(fields.size()), values.data());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    // A driver may refuse the whole call for one field that it does not know.
    if (all != nvml::success && fields.size() > 1) {
      fields[i] = ask(fields[i].id, fields[i].scope);
      continue;
    }
    fields[i].why_not.clear();
    values[i].result = all != nvml::success ? all : values[i].result;
    take_answer(fields[i], values[i], *library_);
  }
}

NvmlField NvmlDevice::ask(unsigned id, unsigned scope) const {
  std::vector<NvmlField> one{NvmlField{id, scope}};
  ask(one);
  return one.front();
}

unsigned NvmlDevice::link_count() const {
  const std::uint64_t count = ask(fields::nvlink_count).value.value_or(nvml::most_links);
  return static_cast<unsigned>(std::min<std::uint64_t>(count, nvml::most_links));
}

std::vector<unsigned> NvmlDevice::active_links() const {
  std::vector<unsigned> links;
  if (!is_open() || library_->link_state == nullptr) {
    return links;
  }
  const unsigned int count = link_count();
  for (unsigned int link = 0; link < count; ++link) {
    unsigned int is_active = 0;
    if (library_->link_state(device_, link, &is_active) == nvml::success && is_active != 0) {
      links.push_back(link);
    }
  }
  return links;
}

}  // namespace viaduct
