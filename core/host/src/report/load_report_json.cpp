#include "report/file_facts_json.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/host/load_report.hpp>

#include <nlohmann/json.hpp>

#include <ctime>

namespace backplane {
namespace {

using Json = nlohmann::ordered_json;

std::string ToString(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

Json MakeJson(const OptionValue& value) {
  switch (value.type) {
    case OptionType::kBool:
      return value.int_value != 0;
    case OptionType::kInt:
      return value.int_value;
    case OptionType::kFloat:
      return value.float_value;
    case OptionType::kString:
      return EscapeForDisplay(value.string_value);
  }
  return nullptr;
}

Json MakeJson(const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json object = {{"code", GetDiagnosticId(diagnostic.code)},
                   {"name", GetDiagnosticName(diagnostic.code)},
                   {"severity", GetSeverityName(diagnostic.severity)},
                   {"what", EscapeForDisplay(diagnostic.what)},
                   {"why", EscapeForDisplay(diagnostic.why)},
                   {"fix", EscapeForDisplay(diagnostic.fix)},
                   {"help", GetDiagnosticHelp(diagnostic.code)}};
    if (!diagnostic.causes.empty()) object["causes"] = MakeJson(diagnostic.causes);
    list.push_back(std::move(object));
  }
  return list;
}

Json MakeTextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(EscapeForDisplay(text));
}

Json MakeJson(const BackendIdentity& identity) {
  Json capabilities = Json::object();
  for (const BackendOption& capability : identity.capabilities) {
    capabilities[EscapeForDisplay(capability.name)] = MakeJson(capability.value);
  }
  // Tensor-handle factories are known once backends are asked for them.
  return {{"id", EscapeForDisplay(identity.id)},
          {"backend_api", ToString(identity.api_version)},
          {"vendor", MakeTextOrNull(identity.vendor)},
          {"version", MakeTextOrNull(identity.version)},
          {"license", MakeTextOrNull(identity.license)},
          {"rank", identity.rank ? Json(*identity.rank) : Json(nullptr)},
          {"capabilities", std::move(capabilities)},
          {"tensor_handle_factories", Json::array()}};
}

Json MakeJson(const SearchPathReport& path) {
  return {{"path", EscapeForDisplay(path.path)},
          {"source", GetPathSourceName(path.source)},
          {"status", path.is_scanned ? "scanned" : "invalid"},
          {"diagnostics", MakeJson(path.diagnostics)}};
}

Json MakeTimings(const std::vector<StageRecord>& stages) {
  Json object = Json::object();
  for (const StageRecord& record : stages) {
    object[GetStageName(record.stage)] = static_cast<double>(record.duration.count()) / 1000.0;
  }
  return object;
}

/// "2026-01-31T23:59:59Z", or null.
Json MakeTime(const std::optional<std::chrono::system_clock::time_point>& time) {
  if (!time) return nullptr;
  const std::time_t seconds = std::chrono::system_clock::to_time_t(*time);
  std::tm parts{};
  char text[32];
  if (gmtime_r(&seconds, &parts) == nullptr) return nullptr;
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json MakeJson(const Candidate& candidate) {
  Json object = {{"path", EscapeForDisplay(candidate.path)},
                 {"canonical_path", EscapeForDisplay(candidate.canonical_path)},
                 {"status", GetCandidateStatusName(candidate.status)},
                 {"stage", GetStageName(candidate.stage)},
                 {"where", GetProbedInName(candidate.where)},
                 {"verdict_of", MakeTime(candidate.verdict_of)}};
  if (!candidate.shadowed_by.empty()) {
    object["shadowed_by"] = EscapeForDisplay(candidate.shadowed_by);
  }
  object["backend"] = candidate.identity ? MakeJson(*candidate.identity) : Json(nullptr);
  object["diagnostics"] = MakeJson(candidate.diagnostics);
  object["timings_us"] = MakeTimings(candidate.stages);
  object["facts"] = candidate.facts ? backplane::MakeJson(*candidate.facts) : Json(nullptr);
  return object;
}

}  // namespace

std::string ToJson(const LoadReport& report) {
  Json paths = Json::array();
  for (const SearchPathReport& path : report.search_paths) paths.push_back(MakeJson(path));
  Json candidates = Json::array();
  for (const Candidate& candidate : report.candidates) candidates.push_back(MakeJson(candidate));
  Json summary = Json::object();
  for (const CandidateStatus status :
       {CandidateStatus::kLoaded, CandidateStatus::kInspected, CandidateStatus::kUnavailable,
        CandidateStatus::kRejected, CandidateStatus::kSkipped, CandidateStatus::kShadowed}) {
    summary[GetCandidateStatusName(status)] = CountCandidates(report, status);
  }
  const Json document = {{"schema", 1},
                         {"backend_api", ToString(kBackendApiVersion)},
                         {"search_paths", std::move(paths)},
                         {"candidates", std::move(candidates)},
                         {"summary", std::move(summary)}};
  return document.dump(2);
}

}  // namespace backplane
