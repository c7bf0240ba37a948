#pragma once

#include <backplane/api/i_backend_context.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/plugin_object.hpp>

#include <mutex>
#include <string>
#include <utility>

namespace backplane {

/// What one backend keeps for the life of a runtime, and the allocator for its tensors. Owned
/// jointly by the runtime and all that was made for networks with it.
///
/// Threads: any; the backend's own context is called by one at a time.
class BackendContext {
 public:
  explicit BackendContext(LoadedContext made) : made_(std::move(made)) {}

  const std::string& GetBackendId() const { return made_.backend_id; }
  /// Whether it was made in a process that has ended.
  bool IsLost() const {
    const auto& origin = made_.context.GetOrigin();
    return origin && origin->isolation && origin->isolation->HasEnded(made_.process_number);
  }
  bool IsEmpty() const { return !made_.context; }
  /// As an argument for the backend's own functions. Null when it is empty.
  IBackendContext* GetContext() const { return made_.context.Share().get(); }

  /// The one that the backend has agreed to use. Empty when there is none.
  const PluginObject<ICustomAllocator>& GetAllocator() const { return made_.allocator; }

  /// Must not be empty.
  PluginResult<Status> Notify(const NetworkEvent& event) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return made_.context.Call<&IBackendContext::OnNetworkEvent>(event);
  }

 private:
  const LoadedContext made_;
  std::mutex mutex_;
};

}  // namespace backplane
