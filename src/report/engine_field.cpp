#include "report/engine_field.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

Engine engine_field(const JsonFields& fields) {
  const std::string text = fields.text("engine");
  for (const Engine engine : all_engines) {
    if (text == name(engine)) {
      return engine;
    }
  }
  throw Error(
      ErrorKind::io,
      fmt::format("key '{}' must be nccl, mpi or copy, is '{}'", fields.place("engine"), text));
}

}  // namespace viaduct
