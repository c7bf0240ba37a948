#include "scanning/operator_rules.hpp"

#include "scanning/scan_plan.hpp"

namespace backplane::scanning {
namespace {

Diagnostic DescribePreferred(const Setting& preferred, const Diagnostic& cause) {
  const bool is_known = cause.code == DiagnosticCode::kBackendRejected;
  Diagnostic diagnostic{DiagnosticCode::kPreferredBackendAbsent,
                        is_known ? Severity::kNote : Severity::kWarning};
  diagnostic.subject = {SubjectKind::kBackend, preferred.value};
  diagnostic.what = "the preferred backend \"" + preferred.value + "\" cannot be used";
  diagnostic.why = cause.why + "; " + preferred.origin + " prefers it";
  diagnostic.fix = cause.fix;
  diagnostic.causes = {cause};
  return diagnostic;
}

}  // namespace

void CheckPreferred(const ScanOptions& options, const BackendRegistry& registry,
                    std::vector<Diagnostic>& diagnostics) {
  if (!SearchesConfiguredPaths(options) || options.probe == ProbeMode::kInspect) return;
  for (const Setting& preferred : options.configuration.preferred) {
    if (registry.IsBackendRegistered(preferred.value)) continue;
    try {
      registry.GetRegistration(preferred.value);
    } catch (const DiagnosticException& exception) {
      diagnostics.push_back(DescribePreferred(preferred, exception.GetDiagnostic()));
    }
  }
}

}  // namespace backplane::scanning
