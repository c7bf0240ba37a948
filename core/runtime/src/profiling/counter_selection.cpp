#include "profiling/counter_selection.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace backplane::profiling {

namespace {

constexpr std::size_t kMaxCounters = 4096;

Diagnostic DescribeRefused(const std::string& backend_id, std::size_t num_refused,
                           const std::string& reason) {
  Diagnostic diagnostic{DiagnosticCode::kProfilingDataRefused};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" offers " + std::to_string(num_refused) +
                    " counters that were left out";
  diagnostic.why = "found " + reason + "; expected each to have an id and a name of its own";
  diagnostic.fix = "report this to the vendor of the backend";
  return diagnostic;
}

std::string JoinNames(const std::vector<CounterDescription>& counters) {
  constexpr std::size_t kMaxShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(counters.size(), kMaxShown); ++i) {
    text += (i == 0 ? "" : ", ") + EscapeForDisplay(counters[i].name);
  }
  if (counters.size() > kMaxShown) {
    text += " and " + std::to_string(counters.size() - kMaxShown) + " more";
  }
  return text.empty() ? "none" : text;
}

Diagnostic DescribeUnknown(const std::string& backend_id, const std::string& name,
                           const std::vector<CounterDescription>& offered) {
  std::vector<std::string> names;
  for (const CounterDescription& counter : offered) names.push_back(counter.name);
  const std::string nearest = FindNearestName(name, names);
  Diagnostic diagnostic{DiagnosticCode::kUnknownCounter};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" has no counter \"" + name + "\"";
  diagnostic.why = "found \"" + name + "\"; expected one of: " + JoinNames(offered);
  diagnostic.fix = nearest.empty() ? "give a name of the list, or leave the counter out"
                                   : "did you mean \"" + nearest + "\"?";
  return diagnostic;
}

[[noreturn]] void ThrowUnknown(const std::string& backend_id, std::vector<Diagnostic> mistakes) {
  if (mistakes.size() == 1) throw DiagnosticException(std::move(mistakes.front()));
  Diagnostic diagnostic{DiagnosticCode::kUnknownCounter};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" does not have " +
                    std::to_string(mistakes.size()) + " of the counters named";
  diagnostic.why = "each is listed below";
  diagnostic.fix = "correct or leave out these names";
  diagnostic.causes = std::move(mistakes);
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

OfferedCounters CheckCounters(const std::string& backend_id,
                              const std::vector<CounterDescription>& counters) {
  OfferedCounters offered;
  std::set<std::uint32_t> ids;
  std::set<std::string> names;
  std::size_t num_refused = 0;
  std::string reason;
  for (const CounterDescription& counter : counters) {
    std::string fault;
    if (counter.name.empty()) {
      fault = "counter " + std::to_string(counter.id) + " without a name";
    } else if (names.count(counter.name) != 0 || ids.count(counter.id) != 0) {
      fault = "a second counter " + std::to_string(counter.id) + " \"" + counter.name + "\"";
    } else if (offered.counters.size() >= kMaxCounters) {
      fault = "more than " + std::to_string(kMaxCounters) + " counters";
    }
    if (fault.empty()) {
      ids.insert(counter.id);
      names.insert(counter.name);
      offered.counters.push_back(counter);
    } else if (num_refused++ == 0) {
      reason = std::move(fault);
    }
  }
  if (num_refused != 0) {
    offered.diagnostics.push_back(DescribeRefused(backend_id, num_refused, reason));
  }
  return offered;
}

std::vector<CounterDescription> SelectCounters(const std::string& backend_id,
                                               const ProfilingOptions& options,
                                               const std::vector<CounterDescription>& offered) {
  if (options.counters == CounterChoice::kAll) return offered;
  std::vector<CounterDescription> selected;
  std::vector<Diagnostic> mistakes;
  for (const NamedCounters& named : options.named_counters) {
    if (named.backend_id != backend_id) continue;
    for (const std::string& name : named.names) {
      const auto has_name = [&](const CounterDescription& counter) { return counter.name == name; };
      const auto found = std::find_if(offered.begin(), offered.end(), has_name);
      if (found == offered.end()) {
        mistakes.push_back(DescribeUnknown(backend_id, name, offered));
      } else if (std::none_of(selected.begin(), selected.end(), has_name)) {
        selected.push_back(*found);
      }
    }
  }
  if (!mistakes.empty()) ThrowUnknown(backend_id, std::move(mistakes));
  return selected;
}

}  // namespace backplane::profiling
