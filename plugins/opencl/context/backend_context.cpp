#include "context/backend_context.hpp"

#include "devices/choose_device.hpp"
#include "library/library.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {

BackendContext::BackendContext(const Options& options, ILogger* logger)
    : options_(options), logger_(logger) {
  static_cast<void>(GetDevice(options));
}

std::shared_ptr<DeviceContext> BackendContext::GetDevice(const Options& options) {
  const std::vector<Platform> platforms = ListPlatforms(OpenLibrary(options.library));
  const Device& device = ChooseDevice(platforms, options);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_lost = [](const auto& used) { return used->IsLost(); };
  devices_.erase(std::remove_if(devices_.begin(), devices_.end(), is_lost), devices_.end());
  for (const auto& used : devices_) {
    const Device& found = used->GetDevice();
    if (found.id == device.id && found.library == device.library) return used;
  }
  devices_.push_back(std::make_shared<DeviceContext>(device, timeline_, logger_));
  return devices_.back();
}

BackendContext& GetContext(IBackendContext* context) {
  if (context != nullptr) return *static_cast<BackendContext*>(context);
  static BackendContext of_process(Options(), nullptr);
  return of_process;
}

}  // namespace opencl
}  // namespace backplane
