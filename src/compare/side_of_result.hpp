#pragma once
// A side of a comparison from a result file of ours.

#include "compare/compared_side.hpp"
#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// The measurements of one path; an empty path takes all, told apart by name, or the only one
/// without. Throws Error(usage) that names the file and the paths in it when there is no such path.
ComparedSide side_of_result(const Result& result, const std::string& path);

}  // namespace viaduct
