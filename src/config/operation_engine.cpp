#include "config/operation_engine.hpp"

#include "core/copy_operation.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

struct Named {
  std::string copy;   ///< the first operation of the copy engine; empty: none
  std::string other;  ///< the first of the other engines
};

Named first_names(const std::vector<CaseBlock>& blocks) {
  Named named;
  for (const CaseBlock& block : blocks) {
    for (const std::string& operation : block.operations) {
      std::string& first = find_copy_operation(operation) != nullptr ? named.copy : named.other;
      first = first.empty() ? operation : first;
    }
  }
  return named;
}

void expect_of_engine(const RunConfig& config, Engine engine) {
  const Named named = first_names(for_engine(config, engine).blocks);
  if (engine == Engine::copy && !named.other.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is no operation of engine copy; `viaduct list copies` shows them",
                            named.other));
  }
  if (engine != Engine::copy && !named.copy.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is an operation of engine copy, not of {}; leave --engine out or "
                            "write --engine copy",
                            named.copy,
                            name(engine)));
  }
}

}  // namespace

std::vector<std::string> with_copy_operations(std::vector<std::string> collectives) {
  for (std::string& name : copy_operation_names()) {
    collectives.push_back(std::move(name));
  }
  return collectives;
}

void settle_engine(RunConfig& config) {
  if (config.engine != EngineChoice::auto_) {
    expect_of_engine(config, resolve_engine(config, true));
    return;
  }
  const Named named = first_names(config.blocks);
  if (!named.copy.empty() && !named.other.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is an operation of engine copy and {} is none: measure them in two "
                            "runs",
                            named.copy,
                            named.other));
  }
  if (!named.copy.empty()) {
    config.engine = EngineChoice::copy;
  }
}

}  // namespace viaduct
