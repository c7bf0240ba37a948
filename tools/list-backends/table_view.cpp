#include "table_view.hpp"

#include "command_line/diagnostic_view.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace backplane::list_backends {

using namespace command_line;

namespace {

constexpr std::size_t kDiagnosticIndent = 4;
constexpr char kFileNameRule[] =
    "A backend's file is called <vendor>_<name>_backend.so, or that with a version behind it as in "
    ".so.1.2; vendor and name are letters and digits.";

using Row = std::array<std::string, 4>;

Row MakeRow(const Candidate& candidate) {
  return {GetBackendIdText(candidate), GetCandidateStatusName(candidate.status),
          GetApiVersionText(candidate), EscapeForDisplay(candidate.path)};
}

std::array<std::size_t, 4> MeasureColumnWidths(const std::vector<Row>& rows) {
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], MeasureColumns(row[i]));
    }
  }
  return widths;
}

std::string ShowRow(const Row& row, const std::array<std::size_t, 4>& widths,
                    const std::array<Colour, 4>& colours, const Terminal& terminal) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += Paint(terminal, colours[i], row[i]);
    if (i + 1 < row.size()) line.append(widths[i] - MeasureColumns(row[i]) + 2, ' ');
  }
  return line + '\n';
}

/// Skipped because someone wished it, not because of its name.
bool IsDisabled(const Candidate& candidate) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.code == DiagnosticCode::kBackendDisabled;
                     });
}

bool IsUsable(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded ||
         candidate.status == CandidateStatus::kInspected;
}

std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// As it is shown below the line of its file: that line has the whole path, so the file's name is
/// enough, except in a command; and what to do is said once, not for each cause again.
Diagnostic MakeBrief(Diagnostic diagnostic, const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  for (std::string* text : {&diagnostic.what, &diagnostic.why}) {
    *text = ReplaceAll(std::move(*text), path, name);
  }
  for (Diagnostic& cause : diagnostic.causes) {
    cause = MakeBrief(std::move(cause), path);
    cause.fix.clear();
  }
  return diagnostic;
}

/// One line for a candidate with which nothing is wrong but that something stands in its way: what
/// took its place, or why its name is not that of a backend.
std::string ShowNote(const Candidate& candidate, const Diagnostic& reason,
                     const Terminal& terminal) {
  Diagnostic line = reason;
  line.what = reason.why;
  if (candidate.status == CandidateStatus::kShadowed) {
    const bool is_variant = reason.code == DiagnosticCode::kVariantNotChosen;
    line.what = is_variant ? reason.why : GetDiagnosticTitle(reason.code);
    if (!is_variant && !candidate.shadowed_by.empty()) line.what += ": " + candidate.shadowed_by;
  }
  return ShowDiagnosticLine(terminal, kDiagnosticIndent, line);
}

bool HasWarning(const Candidate& candidate) {
  return std::any_of(
      candidate.diagnostics.begin(), candidate.diagnostics.end(),
      [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kWarning; });
}

/// A line for each warning of a backend that can be used all the same.
std::string ShowWarnings(const Candidate& candidate, const Terminal& terminal) {
  std::string text;
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity != Severity::kWarning) continue;
    text += ShowDiagnosticLine(terminal, kDiagnosticIndent, MakeBrief(diagnostic, candidate.path));
  }
  return text;
}

/// The headline in full, and a line for each further error.
std::string ShowReasons(const Candidate& candidate, const Terminal& terminal) {
  if (IsUsable(candidate)) return ShowWarnings(candidate, terminal);
  const Diagnostic* headline = GetHeadline(candidate);
  if (headline == nullptr && !candidate.diagnostics.empty()) headline = &candidate.diagnostics[0];
  if (headline == nullptr) return "";
  const bool is_of_no_concern =
      candidate.status == CandidateStatus::kShadowed ||
      (candidate.status == CandidateStatus::kSkipped && !IsDisabled(candidate));
  if (is_of_no_concern) return ShowNote(candidate, *headline, terminal);
  std::string text =
      ShowDiagnostic(terminal, kDiagnosticIndent, MakeBrief(*headline, candidate.path));
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (&diagnostic == headline || diagnostic.severity != Severity::kError) continue;
    text += ShowDiagnosticLine(terminal, kDiagnosticIndent, MakeBrief(diagnostic, candidate.path));
  }
  return text;
}

/// The files of one id stand together, in the order in which they are tried, where the first of
/// them was found.
std::vector<const Candidate*> PutVariantsTogether(const std::vector<const Candidate*>& found,
                                                  const std::vector<VariantSet>& variants) {
  std::unordered_map<std::string, const Candidate*> by_path;
  for (const Candidate* candidate : found) by_path.emplace(candidate->path, candidate);
  std::unordered_map<std::string, const VariantSet*> sets;
  for (const VariantSet& set : variants) {
    for (const std::string& file : set.files) sets.emplace(file, &set);
  }
  std::vector<const Candidate*> together;
  std::unordered_set<const VariantSet*> is_shown;
  for (const Candidate* candidate : found) {
    const auto set = sets.find(candidate->path);
    if (set == sets.end()) {
      together.push_back(candidate);
    } else if (is_shown.insert(set->second).second) {
      for (const std::string& file : set->second->files) {
        const auto member = by_path.find(file);
        if (member != by_path.end()) together.push_back(member->second);
      }
    }
  }
  return together;
}

std::vector<const Candidate*> SelectShown(const LoadReport& report, SkippedFiles skipped_files) {
  std::vector<const Candidate*> shown;
  for (const Candidate& candidate : report.candidates) {
    const bool is_of_interest = candidate.status != CandidateStatus::kSkipped ||
                                skipped_files == SkippedFiles::kShow || IsDisabled(candidate);
    if (is_of_interest) shown.push_back(&candidate);
  }
  return PutVariantsTogether(shown, report.variants);
}

std::string ShowCandidates(const std::vector<const Candidate*>& candidates,
                           const Terminal& terminal) {
  std::vector<Row> rows{{"BACKEND", "STATUS", "API", "FILE"}};
  for (const Candidate* candidate : candidates) rows.push_back(MakeRow(*candidate));
  const std::array<std::size_t, 4> widths = MeasureColumnWidths(rows);
  std::array<Colour, 4> heading{};
  heading.fill(Colour::kHeading);
  std::string text = ShowRow(rows[0], widths, heading, terminal);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Colour colour = GetStatusColour(candidates[i]->status);
    text += ShowRow(rows[i + 1], widths, {Colour::kNone, colour, Colour::kNone, Colour::kNone},
                    terminal);
    text += ShowReasons(*candidates[i], terminal);
  }
  return text;
}

/// What is wrong with the settings from outside, with the directories, and with what was pinned.
std::string ShowFaultsOfNoFile(const LoadReport& report, const Terminal& terminal) {
  std::string text;
  for (const Diagnostic& diagnostic : report.configuration.diagnostics) {
    if (diagnostic.severity != Severity::kNote) text += ShowDiagnostic(terminal, 0, diagnostic);
  }
  for (const SearchPathReport& path : report.search_paths) {
    for (const Diagnostic& diagnostic : path.diagnostics) {
      text += ShowDiagnostic(terminal, 0, diagnostic);
    }
  }
  for (const Diagnostic& unmet : report.diagnostics) text += ShowDiagnostic(terminal, 0, unmet);
  if (report.joint_run) {
    for (const Diagnostic& doubt : report.joint_run->diagnostics) {
      text += ShowDiagnostic(terminal, 0, doubt);
    }
  }
  return text.empty() ? "" : '\n' + text;
}

std::string ShowWhatWasLookedAt(const LoadReport& report, const std::vector<std::string>& files) {
  std::string text = "Looked at:\n";
  for (const SearchPathReport& path : report.search_paths) {
    text += "  " + DescribeSearchPath(path) + '\n';
  }
  for (const std::string& file : files) text += "  " + EscapeForDisplay(file) + " (argument)\n";
  const bool is_nowhere = report.search_paths.empty() && files.empty();
  return is_nowhere ? text + "  nowhere: no PATH is given and no other place is set\n" : text;
}

std::string DescribePathRule(const LoadReport& report) {
  return "Name directories or files as PATH arguments; or set directories with "
         "BACKPLANE_BACKENDS_PATH or DYNAMIC_BACKEND_PATHS, or with lines \"path = DIRECTORY\" "
         "in " +
         EscapeForDisplay(report.configuration.directory) + "/*.conf.";
}

/// Nothing can be used, and nothing is wrong: there are no backends, or all are disabled.
std::string ShowNothingFound(const LoadReport& report, const std::vector<std::string>& files,
                             const Terminal& terminal) {
  const bool has_disabled =
      std::any_of(report.candidates.begin(), report.candidates.end(), IsDisabled);
  const std::string heading =
      has_disabled ? "All backends found are disabled." : "No backends found.";
  std::string text = Paint(terminal, Colour::kHeading, heading) + '\n';
  text += ShowWhatWasLookedAt(report, files);
  if (has_disabled) return text;
  text += WrapBehindLabel(terminal, 0, "", DescribePathRule(report));
  return text + WrapBehindLabel(terminal, 0, "", kFileNameRule);
}

std::string ShowSummary(const LoadReport& report, bool hides_some) {
  std::string text;
  for (const CandidateStatus status :
       {CandidateStatus::kLoaded, CandidateStatus::kInspected, CandidateStatus::kUnavailable,
        CandidateStatus::kRejected, CandidateStatus::kShadowed, CandidateStatus::kSkipped}) {
    const std::size_t count = CountCandidates(report, status);
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + ' ' + GetCandidateStatusName(status);
  }
  if (text.empty()) return "0 candidates\n";
  return text + (hides_some ? " (--all shows skipped files)\n" : "\n");
}

/// The rejected ones again, a line for each, where their rows may be out of sight.
std::string ShowRejectedAgain(const std::vector<const Candidate*>& shown,
                              const Terminal& terminal) {
  constexpr std::size_t kRowsInSight = 20;
  std::string text;
  if (shown.size() <= kRowsInSight) return text;
  for (const Candidate* candidate : shown) {
    if (candidate->status != CandidateStatus::kRejected) continue;
    const Diagnostic* headline = GetHeadline(*candidate);
    if (headline != nullptr) text += ShowDiagnosticLine(terminal, 0, *headline);
  }
  return text.empty() ? "" : '\n' + text;
}

bool HasReason(const std::vector<const Candidate*>& shown) {
  return std::any_of(shown.begin(), shown.end(), [](const Candidate* candidate) {
    return IsUsable(*candidate) ? HasWarning(*candidate) : !candidate->diagnostics.empty();
  });
}

}  // namespace

std::string ShowTable(const LoadReport& report, const std::vector<std::string>& files,
                      SkippedFiles skipped_files, const Terminal& terminal) {
  const std::vector<const Candidate*> shown = SelectShown(report, skipped_files);
  const bool is_nothing_found = std::all_of(
      report.candidates.begin(), report.candidates.end(),
      [](const Candidate& candidate) { return candidate.status == CandidateStatus::kSkipped; });
  std::string text = shown.empty() ? "" : ShowCandidates(shown, terminal);
  if (is_nothing_found) {
    if (!text.empty()) text += '\n';
    text += ShowNothingFound(report, files, terminal);
  } else if (skipped_files == SkippedFiles::kShow) {
    text += '\n' + ShowWhatWasLookedAt(report, files);
  }
  const std::string faults = ShowFaultsOfNoFile(report, terminal);
  text += faults;
  text += ShowRejectedAgain(shown, terminal);
  text += '\n' + ShowSummary(report, shown.size() < report.candidates.size());
  const bool is_any_shown = !faults.empty() || HasReason(shown);
  return text +
         ShowDiagnosticsPage(is_any_shown ? ShownDiagnostics::kSome : ShownDiagnostics::kNone);
}

Colour GetStatusColour(CandidateStatus status) {
  switch (status) {
    case CandidateStatus::kLoaded:
    case CandidateStatus::kInspected:
      return Colour::kGood;
    case CandidateStatus::kUnavailable:
      return Colour::kDoubtful;
    case CandidateStatus::kRejected:
      return Colour::kBad;
    case CandidateStatus::kSkipped:
    case CandidateStatus::kShadowed:
      return Colour::kNone;
  }
  return Colour::kNone;
}

std::string GetApiVersionText(const Candidate& candidate) {
  if (!candidate.identity) return "-";
  const BackendVersion version = candidate.identity->api_version;
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string GetBackendIdText(const Candidate& candidate) {
  if (!candidate.identity || candidate.identity->id.empty()) return "-";
  return EscapeForDisplay(candidate.identity->id);
}

}  // namespace backplane::list_backends
