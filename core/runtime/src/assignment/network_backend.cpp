#include "assignment/network_backend.hpp"

#include "options/option_check.hpp"

#include <utility>

namespace backplane {

std::shared_ptr<const NetworkBackend> MakeNetworkBackend(const BackendRegistry& registry,
                                                         const std::string& id,
                                                         const ModelOptions& model_options) {
  auto made = std::make_shared<NetworkBackend>();
  made->id = id;
  made->backend = registry.CreateBackend(id);
  made->options = CollectOptions(made->backend, model_options);

  ModelContextArgs args;
  args.options = &made->options;
  args.logger = made->backend.GetOrigin()->logger.get();
  auto context = made->backend.Call<&IBackendInternal::CreateBackendSpecificModelContext>(args);
  made->model_context = {std::move(context.GetOrThrow()), made->backend.GetOrigin()};
  return made;
}

}  // namespace backplane
