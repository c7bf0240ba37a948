#include "backend/create_backend.hpp"

#include <backplane/host/late_backend.hpp>

#include <memory>
#include <utility>

namespace backplane::backend {
namespace {

Diagnostic DescribeNullBackend(const BackendRegistration& registration) {
  Diagnostic diagnostic{DiagnosticCode::kNullBackend};
  diagnostic.subject = {SubjectKind::kBackend, registration.origin->backend_id};
  diagnostic.what =
      "BackendFactory of backend " + registration.origin->backend_id + " returned a null pointer";
  diagnostic.why = registration.source + ": expected the backend's table, found null";
  diagnostic.fix =
      "the backend's vendor must return the table, and say why it cannot start when it is started";
  return diagnostic;
}

}  // namespace

PluginObject<IBackendInternal> CreateBackend(const BackendRegistration& registration) {
  if (registration.late) return CreateBackend(registration.late->Open());
  std::unique_ptr<IBackendInternal> backend;
  std::unique_ptr<Diagnostic> failure;
  try {
    backend = registration.factory();
  } catch (...) {
    failure =
        plugin_call::DescribeCurrentException(registration.origin->backend_id, "BackendFactory");
  }
  if (failure) throw DiagnosticException(std::move(*failure));
  if (!backend) throw DiagnosticException(DescribeNullBackend(registration));
  return {std::move(backend), registration.origin};
}

}  // namespace backplane::backend
