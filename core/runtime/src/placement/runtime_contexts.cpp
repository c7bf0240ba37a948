#include "placement/runtime_contexts.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

LateBackends CollectLateBackends(const BackendRegistry& registry) {
  LateBackends late;
  for (const std::string& id : registry.GetBackendIds()) {
    BackendRegistration registration = registry.GetRegistration(id);
    if (registration.late) late.emplace(id, std::move(registration.late));
  }
  return late;
}

RuntimeContexts::RuntimeContexts(std::shared_ptr<const BackendRegistry> registry, LateBackends late,
                                 ContextSettings settings)
    : registry_(std::move(registry)), late_(std::move(late)), settings_(std::move(settings)) {}

void RuntimeContexts::Add(LoadedContext made) {
  const std::lock_guard<std::mutex> lock(mutex_);
  contexts_.push_back(std::make_shared<BackendContext>(std::move(made)));
}

std::shared_ptr<BackendContext> RuntimeContexts::Get(
    const PluginObject<IBackendInternal>& backend) {
  const std::string& id = backend.GetOrigin()->backend_id;
  std::unique_lock<std::mutex> lock(mutex_);
  if (auto known = Find(id)) return known;
  // A run waits for a process no longer than it may, and so for no other who waits for it.
  const bool is_isolated = backend.GetOrigin()->isolation != nullptr;
  if (is_isolated) lock.unlock();
  auto made = std::make_shared<BackendContext>(Make(backend));
  if (is_isolated) lock.lock();
  if (auto known = Find(id)) return known;
  contexts_.push_back(made);
  return made;
}

std::vector<std::shared_ptr<BackendContext>> RuntimeContexts::GetAll() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return contexts_;
}

std::shared_ptr<BackendContext> RuntimeContexts::Find(const std::string& backend_id) {
  const auto found = std::find_if(contexts_.begin(), contexts_.end(), [&](const auto& context) {
    return context->GetBackendId() == backend_id;
  });
  if (found == contexts_.end()) return nullptr;
  if (!(*found)->IsLost()) return *found;
  contexts_.erase(found);
  return nullptr;
}

// Opening the file of a late backend has made one, to see whether it can be made.
LoadedContext RuntimeContexts::Make(const PluginObject<IBackendInternal>& backend) const {
  const std::string& id = backend.GetOrigin()->backend_id;
  const auto late = late_.find(id);
  if (late != late_.end()) {
    if (auto made = late->second->TakeContext()) return std::move(*made);
  }
  return MakeBackendContext(backend, registry_->GetRegistration(id).capabilities, settings_);
}

}  // namespace backplane
