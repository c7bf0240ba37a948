#pragma once

/// The kinds of tensor memory.

#include "context/device_context.hpp"
#include "options/options.hpp"

#include <backplane/api/i_logger.hpp>
#include <backplane/api/tensor_handle_factory_registry.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// Whether the id is of one of the kinds, so that its handles are BufferHandles.
/// Null: it is not.
bool IsOwnKind(const char* factory_id);

/// `logger` stays as long as what is registered.
void RegisterKinds(TensorHandleFactoryRegistry& registry,
                   const std::shared_ptr<DeviceContext>& device, ILogger& logger);

/// The ids, best first, for what the user wants and the device is.
std::vector<std::string> GetPreferences(MemoryChoice choice, const Device& device);

}  // namespace opencl
}  // namespace backplane
