#include "app/worker_engines.hpp"

#include "app/copy_engine.hpp"
#include "app/nccl_engine.hpp"
#include "core/error.hpp"

namespace viaduct {

HelloReply WorkerEngines::hello(const HelloRequest& request) {
  if (request.engine == Engine::copy) {
    engine_ = std::make_unique<CopyEngine>();
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
