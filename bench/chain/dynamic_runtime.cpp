#include "bench_runtime.hpp"

std::unique_ptr<backplane::IRuntime> bench::MakeRuntime(backplane::CreationOptions options) {
  if (options.dynamic_backends_path.empty()) {
    options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
  }
  return backplane::IRuntime::Create(options);
}
