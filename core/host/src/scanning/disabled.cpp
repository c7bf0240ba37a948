#include "scanning/operator_rules.hpp"

#include "files/backend_pattern.hpp"

namespace backplane::scanning {
namespace {

Diagnostic Describe(const std::string& path, const std::string& subject, const Setting& pattern) {
  Diagnostic diagnostic{DiagnosticCode::kBackendDisabled, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is disabled and was not used";
  const std::string place =
      pattern.origin.empty() ? "--disable or CreationOptions::disabled_backends" : pattern.origin;
  diagnostic.why = "\"" + subject + "\" matches \"" + pattern.value + "\" of " + place;
  diagnostic.fix = "to use it, take that entry out of " + place;
  return diagnostic;
}

}  // namespace

std::optional<Diagnostic> DisabledBackends::CheckFile(const std::string& path,
                                                      const std::string& file_name) const {
  if (patterns_.empty()) return std::nullopt;
  for (const Setting& pattern : patterns_) {
    if (files::RestrictsBackend(pattern.value, "", file_name)) {
      return Describe(path, file_name, pattern);
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> DisabledBackends::CheckId(const std::string& path,
                                                    const std::string& id) const {
  for (const Setting& pattern : patterns_) {
    if (files::MeansIdOrFile(pattern.value, id, "")) return Describe(path, id, pattern);
  }
  return std::nullopt;
}

}  // namespace backplane::scanning
