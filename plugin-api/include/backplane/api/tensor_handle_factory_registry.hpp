#pragma once

#include <backplane/api/i_memory_manager.hpp>
#include <backplane/api/i_tensor_handle_factory.hpp>
#include <backplane/api/status.hpp>

#include <memory>

namespace backplane {

/// The core's own kind of tensor memory, for backends that list it in their preferences and for
/// those without preferences: dense, addressable by the CPU, aligned to 64 bytes.
constexpr char kHostTensorHandleFactoryId[] = "Backplane/Host/Memory";

/// Where a backend registers its kinds of tensor memory. Implemented by the host.
class TensorHandleFactoryRegistry {
 public:
  virtual ~TensorHandleFactoryRegistry() = default;

  /// Registers a factory, which the host then owns.
  /// Null: kInvalidArgument.
  /// Errors: kAlreadyExists for an id that is taken; kInvalidArgument for an id that is not
  /// "Vendor/Backend/Factory" or for an opaque layout that claims map, import or export. The
  /// factory is destroyed and the host reports why.
  /// [during RegisterTensorHandleFactories] Since: 1.0
  virtual Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) = 0;

  /// Registers the memory manager of the factories registered after it, up to the next one. Those
  /// registered before any lie in memory that the core allocates for the CPU.
  /// Null: kInvalidArgument.
  /// [during RegisterTensorHandleFactories] Since: 1.0
  virtual Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) = 0;
};

}  // namespace backplane
