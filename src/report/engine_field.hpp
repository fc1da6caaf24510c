#pragma once
// The key "engine" of a record, read into the enumeration. It knows the names that core gives,
// nothing else.

#include "core/path_spec.hpp"
#include "report/json_fields.hpp"

namespace viaduct {

/// Throws Error(io) that names the key and the known engines.
Engine engine_field(const JsonFields& fields);

}  // namespace viaduct
