#include "scanning/operator_rules.hpp"

#include "diagnostics/file_words.hpp"
#include "files/backend_file_name.hpp"
#include "files/backend_pattern.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace backplane::scanning {
namespace {

constexpr std::size_t kMostTold = 100;  // for each of them, the nearest of all names is looked for

struct FoundBackend {
  std::string id;  // empty when it is not known
  std::string file_name;
};

bool IsKnown(const BackendRegistry& registry, const std::string& id) {
  try {
    registry.GetRegistration(id);
    return true;
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic().code == DiagnosticCode::kBackendRejected;
  }
}

class RuleCheck {
 public:
  RuleCheck(const ScanOptions& options, const BackendRegistry& registry, LoadReport& report)
      : options_(options), registry_(registry), report_(report) {
    for (const Candidate& candidate : report.candidates) Add(candidate);
    for (const std::string& id : registry.GetBackendIds()) {
      found_.push_back({id, ""});
      names_.push_back(id);
    }
  }

  void Check(const std::vector<Setting>& rules, const char* deed) {
    for (const Setting& rule : rules) {
      const bool is_idle = !found_.empty() && !MeansAny(rule.value);
      if (is_idle && num_told_++ < kMostTold) Tell(rule, deed);
    }
  }

 private:
  void Add(const Candidate& candidate) {
    FoundBackend found{candidate.identity ? candidate.identity->id : "",
                       diagnostics::GetFileName(candidate.path)};
    const auto name = files::ParseBackendFileName(found.file_name);
    if (!name && candidate.status == CandidateStatus::kSkipped) return;
    if (name) names_.push_back(name->name);
    if (!found.id.empty()) names_.push_back(found.id);
    const bool may_have_any_id = found.id.empty() &&
                                 candidate.status != CandidateStatus::kSkipped &&
                                 candidate.status != CandidateStatus::kShadowed;
    are_ids_known_ = are_ids_known_ && !may_have_any_id;
    names_.push_back(found.file_name);
    found_.push_back(std::move(found));
  }

  bool MeansAny(const std::string& pattern) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const FoundBackend& found) {
                         return files::RestrictsBackend(pattern, found.id, found.file_name);
                       }) ||
           IsKnown(registry_, pattern);
  }

  void Tell(const Setting& rule, const char* deed) {
    const std::string origin = rule.origin.empty() ? "--disable or the program" : rule.origin;
    const std::string nearest = FindNearestName(rule.value, names_);
    const Severity severity = ChooseSeverity(rule, !nearest.empty());
    Diagnostic diagnostic{DiagnosticCode::kRuleFitsNothing, severity};
    diagnostic.subject = {SubjectKind::kBackend, rule.value};
    diagnostic.what = "no backend fits \"" + rule.value + "\", which " + origin + ' ' + deed;
    diagnostic.why =
        "found no id and no file name that it means, so the rule changes nothing; expected an id, "
        "or a glob of ids or of file names";
    diagnostic.fix = nearest.empty()
                         ? "correct it there, or take it out; list-backends --all shows all names"
                         : "did you mean \"" + nearest + "\"?";
    auto& list =
        severity == Severity::kError ? report_.diagnostics : report_.configuration.diagnostics;
    list.push_back(std::move(diagnostic));
  }

  /// A variable is set for what is there now. A drop-in file may come in a package, before the
  /// backend does.
  Severity ChooseSeverity(const Setting& rule, bool resembles_another) const {
    const bool is_of_variable = !rule.origin.empty() && rule.origin.front() != '/';
    const bool has_seen_all = are_ids_known_ && options_.files.empty();
    if (!resembles_another && !(is_of_variable && has_seen_all)) return Severity::kNote;
    return options_.trust.policy == TrustPolicy::kStrict ? Severity::kError : Severity::kWarning;
  }

  const ScanOptions& options_;
  const BackendRegistry& registry_;
  LoadReport& report_;
  std::vector<FoundBackend> found_;
  std::vector<std::string> names_;  // for proposals
  bool are_ids_known_ = true;       // of all that may be used
  std::size_t num_told_ = 0;
};

}  // namespace

void CheckRules(const ScanOptions& options, const BackendRegistry& registry, LoadReport& report) {
  const Configuration& configuration = options.configuration;
  const bool has_rules = !configuration.disabled.empty() || !configuration.isolated.empty() ||
                         !configuration.sandboxed.empty() ||
                         !configuration.refused_permissions.empty() || !options.disabled.empty();
  if (!has_rules) return;
  RuleCheck check(options, registry, report);
  check.Check(configuration.disabled, "disables");
  check.Check(configuration.isolated, "isolates");
  check.Check(configuration.sandboxed, "sandboxes");
  check.Check(configuration.refused_permissions, "refuses permissions");
  std::vector<Setting> disabled;
  for (const std::string& pattern : options.disabled) disabled.push_back({pattern, ""});
  check.Check(disabled, "disables");
}

}  // namespace backplane::scanning
