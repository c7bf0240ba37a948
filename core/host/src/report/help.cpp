#include "backend/shared_library.hpp"

#include <backplane/host/diagnostic.hpp>

#include <climits>
#include <cstdlib>

namespace backplane {
namespace {

constexpr char kPageName[] = "DIAGNOSTICS.md";

}  // namespace

std::string GetDiagnosticHelp(DiagnosticCode code) {
  return std::string(kPageName) + "#bp" + std::to_string(static_cast<unsigned>(code)) + '-' +
         GetDiagnosticName(code);
}

std::string GetDiagnosticsPage() {
  const std::string path =
      backend::GetOwnDirectory() + '/' + BACKPLANE_DOCUMENTS_FROM_LIB + '/' + kPageName;
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) != nullptr ? resolved : kPageName;
}

}  // namespace backplane
