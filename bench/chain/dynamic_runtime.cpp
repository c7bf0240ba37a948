#include "bench_runtime.hpp"

std::unique_ptr<backplane::IRuntime> bench::MakeRuntime(backplane::CreationOptions options) {
  options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
  return backplane::IRuntime::Create(options);
}
