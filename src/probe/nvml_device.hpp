#pragma once
// An open NVML and one GPU on it, kept between readings. Nothing here throws: a GPU that cannot be
// reached answers every question with the reason.

#include "probe/nvml.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// A question for one field value of NVML, and its answer.
struct NvmlField {
  unsigned id = 0;
  unsigned scope = 0;  ///< a link, or NvmlField::all_links
  std::optional<std::uint64_t> value{};
  std::string why_not{};

  static constexpr unsigned all_links = 0xFFFFFFFFU;
};

class NvmlDevice {
 public:
  /// `bus_id` as in NvmlGpu. With MIG on, the answers are those of the whole GPU where NVML still
  /// gives them.
  explicit NvmlDevice(const std::string& bus_id, const std::string& library = "libnvidia-ml.so.1");

  [[nodiscard]] bool is_open() const { return device_ != nullptr; }

  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// Asks for all in one call; one by one when NVML refuses the whole call.
  void ask(std::vector<NvmlField>& fields) const;

  [[nodiscard]] NvmlField ask(unsigned id, unsigned scope = 0) const;

  /// NVLinks that the GPU has, up or not; where the driver does not say, the most that any GPU has:
  /// a driver is not asked for links beyond those without need.
  [[nodiscard]] unsigned link_count() const;

  /// NVLinks that are up, by number.
  [[nodiscard]] std::vector<unsigned> active_links() const;

  /// Only while is_open().
  [[nodiscard]] const nvml::Library& library() const { return *library_; }

  [[nodiscard]] nvml::Device handle() const { return device_; }

 private:
  void find(const std::string& bus_id);

  std::unique_ptr<nvml::Library> library_;
  nvml::Device device_ = nullptr;
  std::string why_not_;
};

}  // namespace viaduct
