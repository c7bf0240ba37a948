#include "backend/make_context.hpp"

#include <backplane/host/isolation.hpp>
#include <backplane/host/options.hpp>
#include <backplane/host/thread_places.hpp>

#include <utility>

namespace backplane {

namespace backend {

LoadedContext MakeContext(const PluginObject<IBackendInternal>& backend,
                          const BackendCapabilities& capabilities, const ContextSettings& settings,
                          backend::ProgressObserver* observer) {
  LoadedContext made;
  made.backend_id = backend.GetOrigin()->backend_id;
  made.process_number = StartProcess(backend.GetOrigin()->isolation.get());
  const CallScope scope(
      [&] { return "in backend \"" + made.backend_id + "\", which made its context"; });
  backend::AnnounceCall(observer, FunctionInfo<&IBackendInternal::GetOptionSchemas>::kName);
  const BackendOptions options = CollectOptions(backend, settings.options, OptionPlace::kRuntime);
  made.allocator = ChooseAllocator(backend, capabilities, settings);
  BackendContextArgs args;
  args.is_protected_mode = settings.protection == MemoryProtection::kProtected ? 1 : 0;
  args.options = &options;
  args.logger = backend.GetOrigin()->logger.get();
  args.allocator = FindCustomAllocator(settings, made.backend_id);
  backend::AnnounceCall(observer, FunctionInfo<&IBackendInternal::CreateBackendContext>::kName);
  auto context = backend.Call<&IBackendInternal::CreateBackendContext>(args);
  if (context.is_unsupported && made.allocator) {
    throw DiagnosticException(DescribeRefusedAllocator(made.backend_id, context.failure->why));
  }
  made.context = {std::move(context.GetOrThrow()), backend.GetOrigin()};
  return made;
}

}  // namespace backend

LoadedContext MakeBackendContext(const PluginObject<IBackendInternal>& backend,
                                 const BackendCapabilities& capabilities,
                                 const ContextSettings& settings) {
  return backend::MakeContext(backend, capabilities, settings, nullptr);
}

}  // namespace backplane
