#pragma once

#include "backend/progress_observer.hpp"

#include <backplane/api/static_backend.hpp>
#include <backplane/host/load_report.hpp>

#include <optional>
#include <string>

namespace backplane::backend {

/// What a backend says of itself, or why it is refused.
struct IdentificationResult {
  std::optional<BackendIdentity> identity;  // as far as it was read; only id and version
  std::optional<Diagnostic> failure;
};

/// Calls GetBackendId and GetVersion and checks their answers.
/// `source` is the file, or "static", for messages; `note` is the version its ABI note states, if
/// it has one.
/// Null: without `observer`, nobody is told of the calls.
IdentificationResult IdentifyBackend(const StaticEntryPoints& entry_points,
                                     const std::string& source,
                                     const std::optional<BackendVersion>& note,
                                     ProgressObserver* observer = nullptr);

/// The diagnostic for a version that the host cannot use; nothing for one that it can.
std::optional<Diagnostic> CheckVersion(BackendVersion backend, BackendVersion host,
                                       const std::string& source);

}  // namespace backplane::backend
