#pragma once

/// What the backend keeps for one network: its options and its device.

#include "context/backend_context.hpp"
#include "context/device_context.hpp"
#include "options/options.hpp"

#include <backplane/api/i_backend_context.hpp>

#include <memory>

namespace backplane {
namespace opencl {

struct ModelContext : IBackendModelContext {
  Options options;
  std::shared_ptr<DeviceContext> device;
};

/// Reads the options of a network over those of the runtime, and opens their device.
/// Errors: BackendUnavailableException.
inline std::shared_ptr<const ModelContext> MakeModelContext(IBackendContext* context,
                                                            const BackendOptions& options) {
  BackendContext& of_runtime = GetContext(context);
  auto made = std::make_shared<ModelContext>();
  made->options = ReadOptions(options, of_runtime.GetOptions());
  made->device = of_runtime.GetDevice(made->options);
  return made;
}

/// What was made for the network, with another context of its device when that was lost; where
/// nothing was made, as for one without options.
/// `Args`: any with a model_context and a context.
template <typename Args>
std::shared_ptr<const ModelContext> GetModelContext(const Args& args) {
  if (args.model_context == nullptr) return MakeModelContext(args.context, BackendOptions());
  auto made = std::static_pointer_cast<const ModelContext>(args.model_context);
  if (!made->device->IsLost()) return made;
  auto renewed = std::make_shared<ModelContext>(*made);
  renewed->device = GetContext(args.context).GetDevice(made->options);
  return renewed;
}

}  // namespace opencl
}  // namespace backplane
