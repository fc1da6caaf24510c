#include "report/end_counts.hpp"

#include <algorithm>

namespace viaduct {

End with_counts(End end, const std::vector<Measurement>& measurements) {
  const auto count = [&measurements](Status status) {
    return static_cast<std::uint64_t>(
        std::count_if(measurements.begin(), measurements.end(), [status](const Measurement& one) {
          return one.status == status;
        }));
  };
  end.measurements = measurements.size();
  end.skipped = count(Status::skipped);
  end.lost = count(Status::lost);
  end.wrong = count(Status::wrong);
  return end;
}

bool all_skipped(const std::vector<Measurement>& measurements) {
  return !measurements.empty() &&
         std::all_of(measurements.begin(), measurements.end(), [](const Measurement& one) {
           return one.status == Status::skipped;
         });
}

std::string nothing_ran_text(const std::vector<Measurement>& measurements) {
  return "no case could run here: " + (measurements.empty() || measurements.front().reason.empty()
                                           ? "no reason was recorded"
                                           : measurements.front().reason);
}

}  // namespace viaduct
