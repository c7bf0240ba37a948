#pragma once

/// What the backend keeps for the life of a runtime: the devices that its networks use.

#include "context/device_context.hpp"
#include "cpu_layers/timeline.hpp"
#include "options/options.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_logger.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace backplane {
namespace opencl {

class BackendContext : public IBackendContext {
 public:
  /// Errors: BackendUnavailableException when the device that the options name cannot be used.
  /// `logger` may be null; else it stays as long as this.
  BackendContext(const Options& options, ILogger* logger);

  Status OnNetworkEvent(const NetworkEvent& /*event*/) override { return Status::kSuccess; }

  /// Those of the runtime, which a network's are laid over.
  const Options& GetOptions() const { return options_; }
  const std::shared_ptr<cpu_layers::Timeline>& GetTimeline() const { return timeline_; }

  /// The device that the options name, opened at first use.
  /// Errors: BackendUnavailableException.
  /// Threads: any.
  std::shared_ptr<DeviceContext> GetDevice(const Options& options);

 private:
  Options options_;
  ILogger* logger_;
  std::shared_ptr<cpu_layers::Timeline> timeline_ = std::make_shared<cpu_layers::Timeline>();
  std::mutex mutex_;
  std::vector<std::shared_ptr<DeviceContext>> devices_;
};

/// Of a runtime's context, or without a runtime of one of this process.
BackendContext& GetContext(IBackendContext* context);

}  // namespace opencl
}  // namespace backplane
