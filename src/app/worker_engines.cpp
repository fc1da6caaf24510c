#include "app/worker_engines.hpp"

#include "app/copy_engine.hpp"
#include "app/nccl_engine.hpp"
#include "app/staged_engine.hpp"
#include "core/error.hpp"
#include "core/staged_path.hpp"

#include <cstdlib>

namespace viaduct {

namespace {

/// The rank leaves the variable to workers of staged paths only.
bool is_staged_worker() {
  const char* word = std::getenv(transport_variable);
  return word != nullptr && word == staged_transport_word;
}

}  // namespace

HelloReply WorkerEngines::hello(const HelloRequest& request) {
  if (request.engine == Engine::copy) {
    engine_ = std::make_unique<CopyEngine>();
  } else if (is_staged_worker()) {
    engine_ = std::make_unique<StagedEngine>();
  } else {
    engine_ = std::make_unique<NcclEngine>();
  }
  return engine_->hello(request);
}

WorkerEngine& WorkerEngines::chosen() {
  if (!engine_) {
    throw Error(ErrorKind::usage, "a request before hello: this worker knows no engine yet");
  }
  return *engine_;
}

}  // namespace viaduct
