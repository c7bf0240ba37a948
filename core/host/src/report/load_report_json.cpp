#include "report/json_texts.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/host/load_report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>

namespace backplane {
namespace {

using OrderedJson = nlohmann::ordered_json;
using report::MakeTextOrNull;
using report::MakeTexts;
using report::MakeTime;

std::string ToString(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

OrderedJson MakeJson(const OptionValue& value) {
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

OrderedJson MakeJson(const std::vector<Diagnostic>& diagnostics) {
  OrderedJson list = OrderedJson::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    OrderedJson object = {{"code", GetDiagnosticId(diagnostic.code)},
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

OrderedJson MakeJson(const std::vector<ClashRecord>& clashes) {
  OrderedJson list = OrderedJson::array();
  for (const ClashRecord& clash : clashes) {
    list.push_back({{"code", GetDiagnosticId(clash.code)},
                    {"name", GetDiagnosticName(clash.code)},
                    {"with", EscapeForDisplay(clash.with)}});
  }
  return list;
}

OrderedJson MakeJson(const BackendIdentity& identity) {
  OrderedJson capabilities = OrderedJson::object();
  for (const BackendOption& capability : identity.capabilities) {
    capabilities[EscapeForDisplay(capability.name)] = MakeJson(capability.value);
  }
  return {{"id", EscapeForDisplay(identity.id)},
          {"backend_api", ToString(identity.api_version)},
          {"vendor", MakeTextOrNull(identity.vendor)},
          {"version", MakeTextOrNull(identity.version)},
          {"license", MakeTextOrNull(identity.license)},
          {"rank", identity.rank ? OrderedJson(*identity.rank) : OrderedJson(nullptr)},
          {"cpu_features", MakeTexts(identity.cpu_features)},
          {"permissions", MakeTexts(identity.permissions)},
          {"operators", MakeTexts(identity.GetOperators())},
          {"capabilities", std::move(capabilities)},
          {"tensor_handle_factories", MakeTexts(identity.tensor_handle_factories)}};
}

OrderedJson MakeJson(const SearchPathReport& path) {
  return {{"path", EscapeForDisplay(path.path)},
          {"source", GetPathSourceName(path.source)},
          {"origin", MakeTextOrNull(path.origin)},
          {"status", path.is_scanned ? "scanned" : "invalid"},
          {"diagnostics", MakeJson(path.diagnostics)}};
}

OrderedJson MakeTimings(const std::vector<StageRecord>& stages) {
  OrderedJson object = OrderedJson::object();
  for (const StageRecord& record : stages) {
    object[GetStageName(record.stage)] = static_cast<double>(record.duration.count()) / 1000.0;
  }
  return object;
}

OrderedJson MakeJson(const Candidate& candidate) {
  OrderedJson object = {
      {"path", EscapeForDisplay(candidate.path)},
      {"canonical_path", EscapeForDisplay(candidate.canonical_path)},
      {"status", GetCandidateStatusName(candidate.status)},
      {"stage", GetStageName(candidate.stage)},
      {"where", GetProbedInName(candidate.where)},
      {"verdict_of",
       candidate.verdict_of ? OrderedJson(MakeTime(*candidate.verdict_of)) : OrderedJson(nullptr)}};
  if (!candidate.shadowed_by.empty()) {
    object["shadowed_by"] = EscapeForDisplay(candidate.shadowed_by);
  }
  object["cpu_level"] = candidate.cpu_level == 0
                            ? OrderedJson(nullptr)
                            : OrderedJson("x86-64-v" + std::to_string(candidate.cpu_level));
  object["backend"] = candidate.identity ? MakeJson(*candidate.identity) : OrderedJson(nullptr);
  object["diagnostics"] = MakeJson(candidate.diagnostics);
  object["clashes"] = MakeJson(candidate.clashes);
  object["timings_us"] = MakeTimings(candidate.stages);
  object["facts"] = candidate.facts ? report::MakeFacts(*candidate.facts) : OrderedJson(nullptr);
  return object;
}

bool IsUsed(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded ||
         candidate.status == CandidateStatus::kInspected;
}

OrderedJson MakeVariants(const LoadReport& report) {
  std::unordered_set<std::string> used;
  for (const Candidate& candidate : report.candidates) {
    if (IsUsed(candidate)) used.insert(candidate.path);
  }
  OrderedJson list = OrderedJson::array();
  for (const VariantSet& set : report.variants) {
    const auto chosen = std::find_if(set.files.begin(), set.files.end(),
                                     [&](const auto& file) { return used.count(file) != 0; });
    list.push_back({{"id", EscapeForDisplay(set.id)},
                    {"used", MakeTextOrNull(chosen != set.files.end() ? *chosen : "")},
                    {"files", MakeTexts(set.files)}});
  }
  return list;
}

OrderedJson MakeJson(const JointRunRecord& run) {
  return {{"backends", run.num_backends},
          {"processes", run.num_processes},
          {"passed", run.has_passed},
          {"verdict_of",
           run.verdict_of ? OrderedJson(MakeTime(*run.verdict_of)) : OrderedJson(nullptr)},
          {"duration_us", static_cast<double>(run.duration.count()) / 1000.0},
          {"diagnostics", MakeJson(run.diagnostics)}};
}

}  // namespace

std::string ToJson(const LoadReport& report) {
  OrderedJson paths = OrderedJson::array();
  for (const SearchPathReport& path : report.search_paths) paths.push_back(MakeJson(path));
  OrderedJson candidates = OrderedJson::array();
  for (const Candidate& candidate : report.candidates) candidates.push_back(MakeJson(candidate));
  OrderedJson summary = OrderedJson::object();
  for (const CandidateStatus status :
       {CandidateStatus::kLoaded, CandidateStatus::kInspected, CandidateStatus::kUnavailable,
        CandidateStatus::kRejected, CandidateStatus::kSkipped, CandidateStatus::kShadowed}) {
    summary[GetCandidateStatusName(status)] = CountCandidates(report, status);
  }
  const OrderedJson document = {
      {"schema", 1},
      {"backend_api", ToString(kBackendApiVersion)},
      {"configuration",
       {{"directory", MakeTextOrNull(report.configuration.directory)},
        {"diagnostics", MakeJson(report.configuration.diagnostics)}}},
      {"search_paths", std::move(paths)},
      {"candidates", std::move(candidates)},
      {"variants", MakeVariants(report)},
      {"joint_run", report.joint_run ? MakeJson(*report.joint_run) : OrderedJson(nullptr)},
      {"diagnostics", MakeJson(report.diagnostics)},
      {"summary", std::move(summary)}};
  return document.dump(2);
}

}  // namespace backplane
