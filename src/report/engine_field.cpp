#include "report/engine_field.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

Engine engine_field(const JsonFields& fields) {
  const std::string text = fields.text("engine");
  for (const Engine engine : {Engine::nccl, Engine::mpi}) {
    if (text == name(engine)) {
      return engine;
    }
  }
  throw Error(ErrorKind::io,
              fmt::format("key '{}' must be {} or {}, is '{}'",
                          fields.place("engine"),
                          name(Engine::nccl),
                          name(Engine::mpi),
                          text));
}

}  // namespace viaduct
