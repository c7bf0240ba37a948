#include <backplane/host/load_report.hpp>

#include <algorithm>

namespace backplane {

const char* GetStageName(Stage stage) {
  switch (stage) {
#define BACKPLANE_STAGE(name, text) \
  case Stage::k##name:              \
    return text;
#include <backplane/host/stages.def>
#undef BACKPLANE_STAGE
  }
  return "";
}

const char* GetCandidateStatusName(CandidateStatus status) {
  switch (status) {
    case CandidateStatus::kLoaded:
      return "loaded";
    case CandidateStatus::kInspected:
      return "inspected";
    case CandidateStatus::kUnavailable:
      return "unavailable";
    case CandidateStatus::kRejected:
      return "rejected";
    case CandidateStatus::kSkipped:
      return "skipped";
    case CandidateStatus::kShadowed:
      return "shadowed";
  }
  return "";
}

const char* GetIntrusionText(Intrusion intrusion) {
  switch (intrusion) {
#define BACKPLANE_INTRUSION(name, text) \
  case Intrusion::k##name:              \
    return text;
#include <backplane/host/intrusions.def>
#undef BACKPLANE_INTRUSION
  }
  return "";
}

const char* GetProbedInName(ProbedIn where) {
  switch (where) {
    case ProbedIn::kFile:
      return "file";
    case ProbedIn::kChild:
      return "child";
    case ProbedIn::kInProcess:
      return "in-process";
  }
  return "";
}

const char* GetPathSourceName(PathSource source) {
  switch (source) {
#define BACKPLANE_PATH_SOURCE(name, text) \
  case PathSource::k##name:               \
    return text;
#include <backplane/host/path_sources.def>
#undef BACKPLANE_PATH_SOURCE
  }
  return "";
}

std::string DescribeSearchPath(const SearchPathReport& path) {
  const std::string origin = path.origin.empty() ? "" : ", " + path.origin;
  return EscapeForDisplay(path.path + " (" + GetPathSourceName(path.source) + origin) +
         (path.is_scanned ? ")" : ", invalid)");
}

const Diagnostic* GetHeadline(const Candidate& candidate) {
  const Diagnostic* headline = nullptr;
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kNote) continue;
    if (headline == nullptr || diagnostic.severity > headline->severity) headline = &diagnostic;
  }
  return headline;
}

std::size_t CountCandidates(const LoadReport& report, CandidateStatus status) {
  return static_cast<std::size_t>(
      std::count_if(report.candidates.begin(), report.candidates.end(),
                    [&](const Candidate& candidate) { return candidate.status == status; }));
}

}  // namespace backplane
