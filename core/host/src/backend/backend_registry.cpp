#include <backplane/host/backend_registry.hpp>

#include <backplane/host/late_backend.hpp>

#include "backend/absent_backend.hpp"
#include "backend/create_backend.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace backplane {

struct BackendRegistry::State {
  std::vector<BackendRegistration>::const_iterator Find(const std::string& id) const {
    const auto place = places.find(id);
    if (place == places.end()) return registrations.end();
    return registrations.begin() + static_cast<std::ptrdiff_t>(place->second);
  }

  void Add(BackendRegistration registration) {
    places.emplace(registration.origin->backend_id, registrations.size());
    registrations.push_back(std::move(registration));
  }

  void Remove(std::vector<BackendRegistration>::const_iterator position) {
    registrations.erase(position);
    places.clear();
    for (const auto& entry : registrations) places.emplace(entry.origin->backend_id, places.size());
  }

  mutable std::mutex mutex;
  std::vector<BackendRegistration> registrations;
  std::unordered_map<std::string, std::size_t> places;  // in `registrations`, by id
  std::vector<backend::UnusableBackend> unusable;
};

namespace {

/// What is known of a backend by now: more once a late one is open.
const BackendRegistration& GetKnown(const BackendRegistration& registration) {
  const LateOutcome* outcome = registration.late ? registration.late->GetOutcome() : nullptr;
  return outcome != nullptr && !outcome->failure ? outcome->registration : registration;
}

/// Says that `refused` cannot be registered because `holder` has its id.
Diagnostic DescribeTakenId(const BackendRegistration& holder, const BackendRegistration& refused) {
  const std::string& id = holder.origin->backend_id;
  Diagnostic diagnostic{DiagnosticCode::kBackendIdTaken};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = "the backend id \"" + id + "\" is taken";
  diagnostic.why =
      refused.source + " gives the id \"" + id + "\", which is registered by " + holder.source;
  diagnostic.fix = "remove or disable one of the two";
  return diagnostic;
}

}  // namespace

BackendRegistry::BackendRegistry() : state_(std::make_unique<State>()) {}

BackendRegistry::BackendRegistry(const BackendRegistry& other) : BackendRegistry() {
  const std::lock_guard<std::mutex> lock(other.state_->mutex);
  state_->registrations = other.state_->registrations;
  state_->places = other.state_->places;
  state_->unusable = other.state_->unusable;
}

BackendRegistry::~BackendRegistry() = default;

BackendRegistry& BackendRegistry::GetProcessRegistry() {
  static BackendRegistry registry;
  return registry;
}

void BackendRegistry::Register(BackendRegistration registration) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto holder = state_->Find(registration.origin->backend_id);
  if (holder != state_->registrations.end()) {
    throw DiagnosticException(DescribeTakenId(*holder, registration));
  }
  state_->Add(std::move(registration));
}

void BackendRegistry::Deregister(const std::string& id) {
  BackendRegistration removed;  // released after the lock: it may close a library
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->Find(id);
  if (found == state_->registrations.end()) {
    throw DiagnosticException(backend::DescribeAbsent(id, state_->registrations, {}));
  }
  removed = *found;
  state_->Remove(found);
}

bool BackendRegistry::IsBackendRegistered(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->Find(id) != state_->registrations.end();
}

BackendRegistration BackendRegistry::GetRegistration(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->Find(id);
  if (found != state_->registrations.end()) return GetKnown(*found);
  throw DiagnosticException(backend::DescribeAbsent(id, state_->registrations, state_->unusable));
}

BackendFactoryFunction BackendRegistry::GetFactory(const std::string& id) const {
  return GetRegistration(id).factory;
}

PluginObject<IBackendInternal> BackendRegistry::CreateBackend(const std::string& id) const {
  return backend::CreateBackend(GetRegistration(id));
}

std::vector<std::string> BackendRegistry::GetBackendIds() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  std::vector<std::string> ids;
  ids.reserve(state_->registrations.size());
  for (const auto& entry : state_->registrations) ids.push_back(entry.origin->backend_id);
  return ids;
}

std::size_t BackendRegistry::Size() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->registrations.size();
}

void BackendRegistry::RememberUnusable(const std::string& id, Diagnostic reason) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->unusable.push_back({id, "", std::move(reason)});
}

void BackendRegistry::RememberUnusableFile(const std::string& path, Diagnostic reason) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->unusable.push_back({"", path, std::move(reason)});
}

}  // namespace backplane
