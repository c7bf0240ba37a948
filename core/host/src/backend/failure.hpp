// A backend says over its table why a function failed; the host tells it on.
#pragma once

#include <backplane/c/backend.h>
#include <backplane/api/status.hpp>
#include <backplane/host/workload_call.hpp>

#include <string>

namespace backplane::backend {

/// Whether a status tells of a fault, not of an answer.
bool IsFault(bp_status status);

/// Gives the answer of a function that may refuse by its status alone.
/// Errors: DiagnosticException for a fault of which the backend said why.
Status Answer(const std::string& backend_id, const char* function, bp_status status,
              const bp_error& error);

/// For functions that give something.
/// Errors: DiagnosticException, for any status but success.
void Require(const std::string& backend_id, const char* function, bp_status status,
             const bp_error& error);

/// Keeps what a backend says.
bp_status Fail(bp_error* error, const bp_failure* failure) noexcept;

/// Says a failure of the host.
bp_status Fail(bp_error* error, Status status, const std::string& text) noexcept;

}  // namespace backplane::backend
