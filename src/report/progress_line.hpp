#pragma once
// The line on stderr while a run measures: "case 3 of 24, 12 s of about 60 s: all_reduce 1M float32
// ...".

#include <cstddef>
#include <string>

namespace viaduct {

std::string progress_line(std::size_t done,
                          std::size_t cases,
                          double elapsed_s,
                          double expected_s,
                          const std::string& now);

}  // namespace viaduct
