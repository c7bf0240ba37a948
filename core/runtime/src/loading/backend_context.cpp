#include "loading/backend_context.hpp"

#include "options/option_check.hpp"

#include <utility>

namespace backplane {

BackendContext::BackendContext(const BackendRegistry& registry, const std::string& backend_id,
                               const std::vector<BackendOptions>& options)
    : backend_id_(backend_id) {
  const PluginObject<IBackendInternal> backend = registry.CreateBackend(backend_id);
  const BackendOptions checked = CollectOptions(backend, options);
  BackendContextArgs args;
  args.options = &checked;
  args.logger = backend.GetOrigin()->logger.get();
  auto context = backend.Call<&IBackendInternal::CreateBackendContext>(args);
  context_ = {std::move(context.GetOrThrow()), backend.GetOrigin()};
}

BackendContext::BackendContext(std::string backend_id, PluginObject<IBackendContext> context)
    : backend_id_(std::move(backend_id)), context_(std::move(context)) {}

}  // namespace backplane
