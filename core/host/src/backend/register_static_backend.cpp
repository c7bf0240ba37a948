#include "backend/identify_backend.hpp"
#include "backend/open_table.hpp"
#include "backend/shared_library.hpp"
#include "backend/try_backend.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/logging.hpp>

#include <memory>
#include <utility>

namespace backplane {

void RegisterStaticBackend(const StaticEntryPoints& entry_points, BackendRegistry& registry) {
  constexpr char kSource[] = "static";
  auto identified = backend::IdentifyBackend(entry_points, kSource, std::nullopt);
  if (identified.failure) throw DiagnosticException(std::move(*identified.failure));
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = identified.identity->id;
  origin->declared_version = identified.identity->api_version;
  origin->logger = CreateBackendLogger(origin->backend_id);
  origin->code_file = std::make_shared<CodeFile>(
      backend::FindFileOf(reinterpret_cast<const void*>(entry_points.backend_factory)));
  BackendRegistration registration;
  registration.factory = backend::MakeBackendFactory(*origin, entry_points.backend_factory);
  registration.origin = origin;
  registration.source = kSource;
  backend::Trial trial = backend::TryBackend(registration, {});
  if (trial.failure) throw DiagnosticException(std::move(*trial.failure));
  registration.capabilities = std::move(trial.capabilities);
  // A table that was tried is one.
  origin->knows_minor = static_cast<const bp_backend*>(entry_points.backend_factory())->knows_minor;
  registry.Register(std::move(registration));
}

}  // namespace backplane
