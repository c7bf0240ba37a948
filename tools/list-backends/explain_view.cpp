#include "explain_view.hpp"

#include "command_line/diagnostic_view.hpp"
#include "facts_view.hpp"
#include "table_view.hpp"
#include "time_text.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/capabilities.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace backplane::list_backends {

using namespace command_line;

namespace {

enum class Outcome { kPassed, kFailed, kRefused, kNotReached };

struct OutcomeRow {
  Outcome outcome;
  Colour colour;
  const char* mark;
  const char* plain_mark;
  const char* text;
};

constexpr OutcomeRow kOutcomes[] = {
    {Outcome::kPassed, Colour::kGood, "\u2713", "+", "passed"},
    {Outcome::kFailed, Colour::kBad, "\u2717", "x", "FAILED"},
    {Outcome::kRefused, Colour::kDoubtful, "!", "!", "stopped"},
    {Outcome::kNotReached, Colour::kNone, "\u00b7", ".", "not reached"},
};

constexpr Stage kStages[] = {
#define BACKPLANE_STAGE(name, text) Stage::k##name,
#include <backplane/host/stages.def>
#undef BACKPLANE_STAGE
};

const StageRecord* FindRecord(const Candidate& candidate, Stage stage) {
  const auto found =
      std::find_if(candidate.stages.begin(), candidate.stages.end(),
                   [stage](const StageRecord& record) { return record.stage == stage; });
  return found != candidate.stages.end() ? &*found : nullptr;
}

bool IsStoppedBy(CandidateStatus status) {
  return status == CandidateStatus::kSkipped || status == CandidateStatus::kShadowed ||
         status == CandidateStatus::kUnavailable;
}

Outcome GetOutcome(const Candidate& candidate, Stage stage) {
  const StageRecord* record = FindRecord(candidate, stage);
  if (record != nullptr && record->has_failed) return Outcome::kFailed;
  if (stage == candidate.stage && IsStoppedBy(candidate.status)) return Outcome::kRefused;
  if (record != nullptr) return Outcome::kPassed;
  // The path and the name are looked at before there is a candidate.
  const bool is_before = stage == Stage::kPath || stage == Stage::kName;
  if (stage == candidate.stage && candidate.status == CandidateStatus::kRejected) {
    return Outcome::kFailed;
  }
  return is_before ? Outcome::kPassed : Outcome::kNotReached;
}

std::string GetDurationText(const Candidate& candidate, Stage stage) {
  const StageRecord* record = FindRecord(candidate, stage);
  if (record == nullptr) return "";
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(record->duration).count();
  char text[32];
  std::snprintf(text, sizeof(text), "%8lld us", static_cast<long long>(us));
  return text;
}

std::string Pad(const std::string& text, std::size_t columns) {
  const std::size_t width = MeasureColumns(text);
  return width < columns ? text + std::string(columns - width, ' ') : text;
}

std::string ShowStage(const Candidate& candidate, Stage stage, const Terminal& terminal) {
  const Outcome outcome = GetOutcome(candidate, stage);
  const OutcomeRow& row = *std::find_if(
      std::begin(kOutcomes), std::end(kOutcomes),
      [outcome](const OutcomeRow& candidate_row) { return candidate_row.outcome == outcome; });
  const std::string mark = terminal.has_utf8 ? row.mark : row.plain_mark;
  const std::string duration = GetDurationText(candidate, stage);
  std::string line = "  " + Paint(terminal, row.colour, mark) + ' ' + Pad(GetStageName(stage), 14) +
                     Paint(terminal, row.colour, row.text);
  if (!duration.empty()) line += std::string(12 - std::strlen(row.text), ' ') + duration;
  return line + '\n';
}

std::string ShowField(const Terminal& terminal, const std::string& label,
                      const std::string& value) {
  return WrapBehindLabel(terminal, 2, Pad(label, 16), value);
}

std::string GetValueText(const OptionValue& value) {
  switch (value.type) {
    case OptionType::kBool:
      return value.int_value != 0 ? "true" : "false";
    case OptionType::kInt:
      return std::to_string(value.int_value);
    case OptionType::kFloat:
      return std::to_string(value.float_value);
    case OptionType::kString:
      return value.string_value;
  }
  return "";
}

/// "child", and when, if a verdict was kept.
std::string GetPlaceText(const Candidate& candidate) {
  const std::string place = GetProbedInName(candidate.where);
  if (!candidate.verdict_of) return place;
  return place + ", on " + GetTimeText(*candidate.verdict_of) +
         ", and nothing it rests on has changed; --refresh looks again";
}

std::string GetTypeText(const OptionSchema& option) {
  const char* const name = GetOptionTypeName(option.type);
  if (option.has_range != 0) {
    return std::string(name) + ", " + GetValueText(option.minimum) + " to " +
           GetValueText(option.maximum);
  }
  std::string text = name;
  for (const std::string& allowed : option.allowed_strings) {
    text += (&allowed == &option.allowed_strings.front() ? ", one of " : ", ") + allowed;
  }
  return text;
}

/// Where it may be given, when that is not everywhere.
const char* GetPlacesText(const OptionSchema& option) {
  if (option.places == BP_OPTION_OF_CONTEXT) return "; for the runtime";
  return option.places == BP_OPTION_OF_NETWORK ? "; for a network" : "";
}

/// The fields of the manifest; those that it leaves out are not shown.
std::string ShowManifest(const BackendIdentity& identity, const Terminal& terminal) {
  std::string text;
  const std::pair<const char*, const std::string&> fields[] = {
      {"vendor", identity.vendor}, {"version", identity.version}, {"licence", identity.license}};
  for (const auto& [label, value] : fields) {
    if (!value.empty()) text += ShowField(terminal, label, value);
  }
  if (identity.rank) text += ShowField(terminal, "rank", std::to_string(*identity.rank));
  for (const std::string& feature : identity.cpu_features) {
    text += ShowField(terminal, "CPU feature", feature);
  }
  return text;
}

std::string ShowIdentity(const Candidate& candidate, const Terminal& terminal) {
  std::string text = ShowField(terminal, "backend id", GetBackendIdText(candidate));
  text += ShowField(terminal, "Backend API", GetApiVersionText(candidate));
  if (!candidate.identity) return text;
  text += ShowManifest(*candidate.identity, terminal);
  for (const std::string& permission : candidate.identity->permissions) {
    text += ShowField(terminal, "asks for", permission);
  }
  for (const std::string& one : candidate.identity->GetOperators()) {
    text += ShowField(terminal, "operator", one);
  }
  for (const BackendOption& capability : candidate.identity->capabilities) {
    text +=
        ShowField(terminal, "capability", capability.name + " = " + GetValueText(capability.value));
  }
  for (const OptionSchema& option : candidate.identity->options) {
    text += ShowField(terminal, "option",
                      option.name + " (" + GetTypeText(option) + GetPlacesText(option) +
                          ") = " + GetValueText(option.default_value) +
                          (option.text.empty() ? "" : ": " + option.text));
  }
  for (const std::string& factory : candidate.identity->tensor_handle_factories) {
    text += ShowField(terminal, "tensor handles", factory);
  }
  return text;
}

/// Whether a file lies in a directory itself, by their names.
bool IsIn(const std::string& file, const std::string& directory) {
  const std::size_t slash = file.find_last_of('/');
  const std::size_t end = directory.find_last_not_of('/') + 1;
  return slash != std::string::npos &&
         file.compare(0, file.find_last_not_of('/', slash) + 1, directory, 0, end) == 0;
}

std::string DescribeVariant(const Candidate& candidate) {
  std::string text = GetCandidateStatusName(candidate.status);
  if (candidate.identity) {
    const BackendIdentity& identity = *candidate.identity;
    const std::int64_t rank = identity.rank ? *identity.rank : GetRank(identity.capabilities);
    text += ", rank " + std::to_string(rank);
    if (!identity.version.empty()) text += ", version " + identity.version;
  }
  if (candidate.cpu_level != 0) text += ", for x86-64-v" + std::to_string(candidate.cpu_level);
  return text;
}

}  // namespace

std::string ShowVariants(const LoadReport& report, const Terminal& terminal) {
  std::unordered_map<std::string, const Candidate*> by_path;
  for (const Candidate& candidate : report.candidates) by_path.emplace(candidate.path, &candidate);
  std::string text;
  for (const VariantSet& set : report.variants) {
    text += '\n' + Paint(terminal, Colour::kHeading, "variants of " + EscapeForDisplay(set.id));
    text += ", in the order in which they are tried\n";
    for (std::size_t i = 0; i < set.files.size(); ++i) {
      const auto file = by_path.find(set.files[i]);
      const std::string what =
          file != by_path.end() ? " (" + DescribeVariant(*file->second) + ")" : "";
      text += WrapBehindLabel(terminal, 2, std::to_string(i + 1) + ". ", set.files[i] + what);
    }
  }
  return text;
}

std::string ShowLadder(const Candidate& candidate,
                       const std::vector<SearchPathReport>& search_paths,
                       const Terminal& terminal) {
  std::string text = Paint(terminal, Colour::kHeading, EscapeForDisplay(candidate.path)) + '\n';
  std::string status =
      WrapBehindLabel(terminal, 2, Pad("status", 16), GetCandidateStatusName(candidate.status));
  text += status;
  if (!candidate.canonical_path.empty() && candidate.canonical_path != candidate.path) {
    text += ShowField(terminal, "links to", candidate.canonical_path);
  }
  if (!candidate.shadowed_by.empty()) {
    text += ShowField(terminal, "shadowed by", candidate.shadowed_by);
  }
  for (const SearchPathReport& path : search_paths) {
    if (!IsIn(candidate.path, path.path)) continue;
    text += ShowField(terminal, "found in", DescribeSearchPath(path));
    break;
  }
  text += ShowField(terminal, "looked at in", GetPlaceText(candidate));
  text += ShowIdentity(candidate, terminal);
  if (candidate.facts) text += '\n' + ShowFacts(*candidate.facts, terminal);
  text += '\n';
  for (const Stage stage : kStages) text += ShowStage(candidate, stage, terminal);
  if (!candidate.diagnostics.empty()) text += '\n';
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    text += ShowDiagnostic(terminal, 2, diagnostic);
  }
  return text;
}

}  // namespace backplane::list_backends
