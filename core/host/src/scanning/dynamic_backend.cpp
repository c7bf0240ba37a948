#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/scan.hpp>

#include "backend/create_backend.hpp"

#include <utility>

namespace backplane {
namespace {

/// The headline, with the other errors as its causes.
Diagnostic Summarise(const Candidate& candidate) {
  const Diagnostic* headline = GetHeadline(candidate);
  Diagnostic summary = headline != nullptr ? *headline : candidate.diagnostics.front();
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (&diagnostic != headline && diagnostic.severity == Severity::kError) {
      summary.causes.push_back(diagnostic);
    }
  }
  return summary;
}

}  // namespace

std::shared_ptr<DynamicBackend> DynamicBackend::Open(const std::string& path) {
  BackendRegistry registry;
  ScanOptions options;
  options.files.push_back(path);
  const LoadReport report = LoadBackends(options, registry);
  const Candidate& candidate = report.candidates.front();
  if (candidate.status != CandidateStatus::kLoaded) {
    throw DiagnosticException(Summarise(candidate));
  }
  return std::make_shared<DynamicBackend>(registry.GetRegistration(candidate.identity->id));
}

DynamicBackend::DynamicBackend(BackendRegistration registration)
    : registration_(std::move(registration)) {}

DynamicBackend::~DynamicBackend() = default;

const std::string& DynamicBackend::GetBackendId() const {
  return registration_.origin->backend_id;
}

BackendVersion DynamicBackend::GetBackendVersion() const {
  return registration_.origin->declared_version;
}

const std::string& DynamicBackend::GetPath() const {
  return registration_.source;
}

const BackendRegistration& DynamicBackend::GetRegistration() const {
  return registration_;
}

PluginObject<IBackendInternal> DynamicBackend::CreateBackend() const {
  return backend::CreateBackend(registration_);
}

}  // namespace backplane
