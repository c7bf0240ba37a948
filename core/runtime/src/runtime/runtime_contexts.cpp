#include "runtime/runtime_contexts.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

RuntimeContexts::RuntimeContexts(std::shared_ptr<const BackendRegistry> registry, Made made,
                                 LateBackends late)
    : registry_(std::move(registry)), late_(std::move(late)), contexts_(std::move(made)) {}

UsedContexts RuntimeContexts::GetFor(
    const std::vector<std::shared_ptr<const NetworkBackend>>& backends) {
  const std::lock_guard<std::mutex> lock(mutex_);
  UsedContexts used;
  for (const auto& backend : backends) {
    BackendContext& context = FindOrMake(backend->id);
    if (!context.IsEmpty()) used.push_back(&context);
  }
  return used;
}

BackendContext& RuntimeContexts::FindOrMake(const std::string& backend_id) {
  const auto found = std::find_if(contexts_.begin(), contexts_.end(), [&](const auto& context) {
    return context->GetBackendId() == backend_id;
  });
  if (found != contexts_.end()) return **found;
  contexts_.push_back(Make(backend_id));
  return *contexts_.back();
}

// Opening the file has made one, to see whether it can be made.
std::unique_ptr<BackendContext> RuntimeContexts::Make(const std::string& backend_id) const {
  const auto late = late_.find(backend_id);
  if (late != late_.end()) {
    if (auto context = late->second->TakeContext()) {
      return std::make_unique<BackendContext>(backend_id, std::move(*context));
    }
  }
  return std::make_unique<BackendContext>(*registry_, backend_id, std::vector<BackendOptions>{});
}

}  // namespace backplane
