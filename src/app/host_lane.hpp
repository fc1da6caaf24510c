#pragma once
// The lane of the mpi engine as the program uses it: knows the case under way, for the record of
// one that hangs, and describes every case as skipped where this machine cannot give the path.

#include "lane/lane.hpp"

#include <memory>
#include <optional>
#include <string>

namespace viaduct {

class HostLane : public Lane {
 public:
  /// An empty `skip_reason` skips nothing. `under_way` is shared with whoever must name the case
  /// after a hang.
  HostLane(std::unique_ptr<Lane> inner,
           std::string skip_reason,
           std::shared_ptr<std::optional<Case>> under_way)
      : inner_(std::move(inner)),
        skip_reason_(std::move(skip_reason)),
        under_way_(std::move(under_way)) {}

  [[nodiscard]] const std::string& path() const override { return inner_->path(); }

  void start(const Request& request) override;
  Reply finish(Deadline deadline, const Abandon& abandon) override;

  void kill() noexcept override { inner_->kill(); }

  [[nodiscard]] bool is_alive() const override { return inner_->is_alive(); }

 private:
  std::unique_ptr<Lane> inner_;
  std::string skip_reason_;
  std::shared_ptr<std::optional<Case>> under_way_;
};

}  // namespace viaduct
