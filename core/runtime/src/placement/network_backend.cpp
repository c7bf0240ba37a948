#include "placement/network_backend.hpp"

#include "placement/runtime_contexts.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/options.hpp>
#include <backplane/host/thread_places.hpp>

#include <utility>

namespace backplane {

bool HasLostProcess(const NetworkBackend& backend) {
  const auto& process = backend.backend.GetOrigin()->isolation;
  return process != nullptr && process->HasEnded(backend.process_number);
}

std::shared_ptr<const NetworkBackend> MakeNetworkBackend(const DeviceSpec& device,
                                                         const std::string& id,
                                                         const ModelOptions& model_options) {
  const CallScope scope([&] { return "in backend \"" + id + "\", which was made for a network"; });
  auto made = std::make_shared<NetworkBackend>();
  made->id = id;
  made->backend = device.GetRegistry().CreateBackend(id);
  made->process_number = StartProcess(made->backend.GetOrigin()->isolation.get());
  if (device.ShareContexts()) made->context = device.ShareContexts()->Get(made->backend);
  // Asked now, when a backend that is opened at first use is open.
  const BackendCapabilities& capabilities = device.GetRegistry().GetRegistration(id).capabilities;
  made->works_in_place = HasCapability(capabilities, kCapabilityInPlace);
  const OptionValue* const fences = FindCapability(capabilities, kCapabilityFences);
  const bool has_fences = fences != nullptr && fences->type == OptionType::kInt;
  if (has_fences) made->awaited_fences = static_cast<FenceKindFlags>(fences->int_value);
  made->costs = ReadCosts(capabilities);
  made->options = CollectOptions(made->backend, model_options, OptionPlace::kNetwork);

  ModelContextArgs args;
  args.options = &made->options;
  args.context = made->GetContext();
  args.logger = made->backend.GetOrigin()->logger.get();
  auto context = made->backend.Call<&IBackendInternal::CreateBackendSpecificModelContext>(args);
  made->model_context = {std::move(context.GetOrThrow()), made->backend.GetOrigin()};
  return made;
}

}  // namespace backplane
