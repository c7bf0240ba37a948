#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/api/i_logger.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>
#include <memory>

namespace backplane {

using NetworkId = std::uint32_t;

class IBackendContext;
class IBackendModelContext;

/// With what a runtime makes a backend's context. Filled by the host; borrowed until the call
/// returns, except the logger, which stays as long as the context.
struct BackendContextArgs {
  std::uint32_t size_bytes = sizeof(BackendContextArgs);
  std::uint32_t is_protected_mode = 0;      // 1: tensors may only lie in protected memory
  const BackendOptions* options = nullptr;  // those for this backend, checked; never null
  ILogger* logger = nullptr;                // never null
  /// The application's, for this runtime; null when it gave none, and without
  /// kCapabilityCustomAllocator.
  std::shared_ptr<ICustomAllocator> allocator;
};

/// With what a backend is called for a runtime, or for one network. Filled by the host; borrowed
/// until the call returns, except the logger and the context, which stay as long as what the call
/// makes.
struct BackendCallArgs {
  std::uint32_t size_bytes = sizeof(BackendCallArgs);
  std::uint32_t reserved = 0;
  IBackendContext* context = nullptr;       // of the runtime; null when there is none
  const BackendOptions* options = nullptr;  // those for this backend, checked; never null
  ILogger* logger = nullptr;                // never null
  std::shared_ptr<const IBackendModelContext> model_context = {};  // of the network; or null
};

enum class NetworkEventKind : std::uint32_t {
  kBeforeLoad = 1,
  kAfterLoad = 2,
  kBeforeUnload = 3,
  kAfterUnload = 4,
};

/// What is about to happen, or has happened, to a network. Filled by the host.
struct NetworkEvent {
  std::uint32_t size_bytes = sizeof(NetworkEvent);
  NetworkId network_id = 0;
  Status outcome = Status::kSuccess;  // in kAfter...: how it ended
  NetworkEventKind kind = NetworkEventKind::kBeforeLoad;
};

/// What a backend keeps for the life of a runtime.
class IBackendContext {
 public:
  virtual ~IBackendContext() noexcept(false) = default;

  /// Hears of a network that uses the backend. Events come in pairs: each kBefore is followed by
  /// its kAfter, with the outcome, whatever fails in between. Errors: in kBeforeLoad, any status
  /// but kSuccess keeps the network from being loaded. In the others it is reported, and what
  /// happens goes on all the same. Conformance: BC0506, BC0906. [one at a time] Since: 1.0
  virtual Status OnNetworkEvent(const NetworkEvent& event) = 0;
};

/// What a backend keeps for one network: options read, files opened. A backend derives from it.
///
/// Threads: any, for const functions of the derived class.
class IBackendModelContext {
 public:
  virtual ~IBackendModelContext() = default;
};

}  // namespace backplane
