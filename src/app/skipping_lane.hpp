#pragma once
// A lane whose path this machine cannot give: every case is described as skipped, with the reason.

#include "lane/lane.hpp"

#include <memory>
#include <string>

namespace viaduct {

class SkippingLane : public Lane {
 public:
  SkippingLane(std::unique_ptr<Lane> inner, std::string reason)
      : inner_(std::move(inner)),
        reason_(std::move(reason)) {}

  [[nodiscard]] const std::string& path() const override { return inner_->path(); }

  void start(const Request& request) override { inner_->start(request); }

  Reply finish(Deadline deadline, const Abandon& abandon) override;

  void kill() noexcept override { inner_->kill(); }

  [[nodiscard]] bool is_alive() const override { return inner_->is_alive(); }

 private:
  std::unique_ptr<Lane> inner_;
  std::string reason_;
};

}  // namespace viaduct
