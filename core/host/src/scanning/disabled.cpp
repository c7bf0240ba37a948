#include "scanning/disabled.hpp"

#include "discovery/backend_file_name.hpp"

#include <backplane/host/scan.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>

namespace backplane {
namespace scanning {
namespace {

Diagnostic Describe(const std::string& path, const std::string& subject,
                    const std::string& pattern) {
  Diagnostic diagnostic{DiagnosticCode::kBackendDisabled, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is disabled and was not used";
  diagnostic.why =
      "\"" + subject + "\" matches \"" + pattern + "\" in the list of disabled backends";
  diagnostic.fix =
      "to use it, take that entry out of BACKPLANE_DISABLE_BACKENDS, --disable or "
      "CreationOptions::disabled_backends";
  return diagnostic;
}

}  // namespace

std::optional<Diagnostic> DisabledBackends::CheckFile(const std::string& path,
                                                      const std::string& file_name) const {
  if (patterns_.empty()) return std::nullopt;
  const auto name = discovery::ParseBackendFileName(file_name);
  for (const std::string& pattern : patterns_) {
    if (name && name->name == pattern) return Describe(path, name->name, pattern);
    if (fnmatch(pattern.c_str(), file_name.c_str(), 0) == 0) {
      return Describe(path, file_name, pattern);
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> DisabledBackends::CheckId(const std::string& path,
                                                    const std::string& id) const {
  for (const std::string& pattern : patterns_) {
    if (pattern == id) return Describe(path, id, pattern);
  }
  return std::nullopt;
}

}  // namespace scanning

std::vector<std::string> GetDisabledFromEnvironment() {
  std::vector<std::string> patterns;
  const char* list = secure_getenv("BACKPLANE_DISABLE_BACKENDS");
  if (list == nullptr) return patterns;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    if (!item.empty()) patterns.emplace_back(item);
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return patterns;
}

}  // namespace backplane
