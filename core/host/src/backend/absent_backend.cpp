#include "backend/absent_backend.hpp"

#include "files/backend_file_name.hpp"

#include <algorithm>

namespace backplane::backend {
namespace {

std::string GetFileName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// Whether someone who says `asked` may mean this file.
bool IsNameOfFile(const std::string& asked, const std::string& path) {
  if (asked.empty() || path.empty()) return false;
  const std::string file_name = GetFileName(path);
  const std::string asked_name = GetFileName(asked);
  if (asked_name == file_name) return true;
  const auto name = files::ParseBackendFileName(file_name);
  if (!name) return false;
  if (asked_name == name->family || asked_name == name->name) return true;
  const auto other = files::ParseBackendFileName(asked_name);
  return other && other->family == name->family;
}

bool IsSame(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.subject.name == b.subject.name && a.what == b.what;
}

/// One file may be known by its id and by its name: its reason is told once.
void Add(const Diagnostic& reason, std::vector<Diagnostic>& reasons) {
  const bool is_told = std::any_of(reasons.begin(), reasons.end(),
                                   [&](const Diagnostic& told) { return IsSame(told, reason); });
  if (!is_told) reasons.push_back(reason);
}

/// The reasons of what has this id, and of the files that are called so.
std::vector<Diagnostic> CollectReasons(const std::string& asked,
                                       const std::vector<UnusableBackend>& unusable) {
  std::vector<Diagnostic> reasons;
  for (const UnusableBackend& backend : unusable) {
    if (!backend.id.empty() && backend.id == asked) Add(backend.reason, reasons);
  }
  for (const UnusableBackend& backend : unusable) {
    if (IsNameOfFile(asked, backend.file)) Add(backend.reason, reasons);
  }
  return reasons;
}

Diagnostic DescribeUnusable(const std::string& asked, std::vector<Diagnostic> reasons) {
  Diagnostic diagnostic{DiagnosticCode::kBackendRejected};
  diagnostic.subject = {SubjectKind::kBackend, asked};
  diagnostic.what = "the backend \"" + asked + "\" was found but cannot be used";
  for (const Diagnostic& reason : reasons) {
    diagnostic.why += (diagnostic.why.empty() ? "" : "; ") + reason.what;
  }
  diagnostic.fix = reasons.size() == 1 ? reasons.front().fix
                                       : "mend one of the " + std::to_string(reasons.size()) +
                                             "; the reason of each is below";
  diagnostic.causes = std::move(reasons);
  return diagnostic;
}

std::string DescribeRegistered(const std::vector<BackendRegistration>& registrations) {
  std::string text;
  for (const BackendRegistration& registration : registrations) {
    text += (text.empty() ? "registered are " : ", ") + registration.origin->backend_id;
  }
  return text.empty() ? "no backend is registered" : text;
}

Diagnostic DescribeUnknown(const std::string& asked, std::string why, std::string fix) {
  Diagnostic diagnostic{DiagnosticCode::kBackendNotRegistered};
  diagnostic.subject = {SubjectKind::kBackend, asked};
  diagnostic.what = "no backend has the id \"" + asked + "\"";
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

/// What cannot be used is proposed too, with its reasons: it may be what was meant.
Diagnostic Suggest(const std::string& asked, const std::vector<BackendRegistration>& registrations,
                   const std::vector<UnusableBackend>& unusable) {
  std::vector<std::string> names;
  for (const auto& registration : registrations) names.push_back(registration.origin->backend_id);
  const std::size_t num_registered = names.size();
  for (const UnusableBackend& backend : unusable) {
    if (!backend.id.empty()) names.push_back(backend.id);
    const auto name = files::ParseBackendFileName(GetFileName(backend.file));
    if (name) names.push_back(name->name);
  }
  const std::string nearest = FindNearestName(asked, names);
  const std::string why = DescribeRegistered(registrations);
  if (nearest.empty()) {
    return DescribeUnknown(asked, why,
                           "run list-backends with the same directories to see what was found and "
                           "why the rest failed; directories that are given take the place of the "
                           "usual ones");
  }
  const std::string question = "did you mean \"" + nearest + "\"?";
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(num_registered);
  if (std::find(names.begin(), end, nearest) != end) return DescribeUnknown(asked, why, question);
  Diagnostic diagnostic = DescribeUnknown(
      asked, why, question + " it was found but cannot be used, for the reason below");
  diagnostic.causes = CollectReasons(nearest, unusable);
  return diagnostic;
}

}  // namespace

Diagnostic DescribeAbsent(const std::string& asked,
                          const std::vector<BackendRegistration>& registrations,
                          const std::vector<UnusableBackend>& unusable) {
  std::vector<Diagnostic> reasons = CollectReasons(asked, unusable);
  const bool is_known_id = !asked.empty() && std::any_of(unusable.begin(), unusable.end(),
                                                         [&](const UnusableBackend& backend) {
                                                           return backend.id == asked;
                                                         });
  if (is_known_id) return DescribeUnusable(asked, std::move(reasons));
  for (const BackendRegistration& registration : registrations) {
    if (!IsNameOfFile(asked, registration.source)) continue;
    const std::string& id = registration.origin->backend_id;
    return DescribeUnknown(asked, registration.source + " gives the backend \"" + id + "\"",
                           "did you mean \"" + id + "\"?");
  }
  if (!reasons.empty()) return DescribeUnusable(asked, std::move(reasons));
  return Suggest(asked, registrations, unusable);
}

}  // namespace backplane::backend
