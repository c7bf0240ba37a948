#pragma once

#include "placement/backend_context.hpp"
#include "placement/network_backend.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace backplane {

/// The contexts of the backends that a network uses, in their order, without empty ones.
using UsedContexts = std::vector<std::shared_ptr<BackendContext>>;

UsedContexts GetUsedContexts(const std::vector<std::shared_ptr<const NetworkBackend>>& backends);

/// Tells contexts that a network is loaded: Before in their order, After in the opposite one. Each
/// that was told Before is told After, however the loading ends; kFailure unless SetLoaded was
/// called.
class LoadAnnouncement {
 public:
  /// Tells nobody yet. Borrows the contexts.
  LoadAnnouncement(const UsedContexts& contexts, NetworkId network);
  ~LoadAnnouncement();
  LoadAnnouncement(const LoadAnnouncement&) = delete;
  LoadAnnouncement& operator=(const LoadAnnouncement&) = delete;

  /// Tells each context, up to the first that refuses.
  /// Errors: DiagnosticException with kContextRefused.
  void Begin();

  /// The loading has succeeded.
  void SetLoaded() { event_.outcome = Status::kSuccess; }

 private:
  const UsedContexts& contexts_;
  std::size_t num_told_ = 0;
  NetworkEvent event_;
};

/// Tells contexts, in their order, that a network is about to be unloaded. What they answer is
/// logged.
void AnnounceUnload(const UsedContexts& contexts, NetworkId network) noexcept;

/// Tells contexts, in the opposite order, that a network was unloaded. What they answer is logged.
void AnnounceUnloaded(const UsedContexts& contexts, NetworkId network) noexcept;

}  // namespace backplane
