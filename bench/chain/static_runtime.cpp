#include "bench_runtime.hpp"

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

std::unique_ptr<backplane::IRuntime> bench::MakeRuntime(backplane::CreationOptions options) {
  backplane::RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
  options.dynamic_backends_path = "/nonexistent";  // nothing else is looked for
  return backplane::IRuntime::Create(options);
}
