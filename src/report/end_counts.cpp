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

}  // namespace viaduct
