#include <backplane/host/contexts.hpp>

namespace backplane {

bool IsUnavailability(const Diagnostic& diagnostic) {
  return IsOwnUnavailability(diagnostic) || diagnostic.code == DiagnosticCode::kAllocatorRefused ||
         diagnostic.code == DiagnosticCode::kNotProtected ||
         diagnostic.code == DiagnosticCode::kNoProtectedAllocator;
}

}  // namespace backplane
