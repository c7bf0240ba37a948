#include "assignment/network_backend.hpp"

#include "options/option_check.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

bool StatesInPlace(const BackendCapabilities& capabilities) {
  const BackendOption wanted{kCapabilityInPlace, true};
  return std::any_of(capabilities.begin(), capabilities.end(),
                     [&](const BackendOption& capability) {
                       return capability.name == wanted.name && capability.value == wanted.value;
                     });
}

}  // namespace

std::shared_ptr<const NetworkBackend> MakeNetworkBackend(const BackendRegistry& registry,
                                                         const std::string& id,
                                                         const ModelOptions& model_options) {
  auto made = std::make_shared<NetworkBackend>();
  made->id = id;
  made->backend = registry.CreateBackend(id);
  // Asked now, when a backend that is opened at first use is open.
  made->works_in_place = StatesInPlace(registry.GetRegistration(id).capabilities);
  made->options = CollectOptions(made->backend, model_options);

  ModelContextArgs args;
  args.options = &made->options;
  args.logger = made->backend.GetOrigin()->logger.get();
  auto context = made->backend.Call<&IBackendInternal::CreateBackendSpecificModelContext>(args);
  made->model_context = {std::move(context.GetOrThrow()), made->backend.GetOrigin()};
  return made;
}

}  // namespace backplane
