#include "loading/backend_context.hpp"

#include "options/option_check.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane {

BackendContext::BackendContext(const BackendRegistry& registry, const std::string& backend_id,
                               const std::vector<BackendOptions>& options)
    : backend_id_(backend_id), logger_(CreateBackendLogger(backend_id)) {
  const PluginObject<IBackendInternal> backend = registry.CreateBackend(backend_id);
  const BackendOptions checked = CollectOptions(backend, options);
  BackendContextArgs args;
  args.options = &checked;
  args.logger = logger_.get();
  auto context = backend.Call<&IBackendInternal::CreateBackendContext>(args);
  context_ = {std::move(context.GetOrThrow()), backend.GetOrigin()};
}

}  // namespace backplane
