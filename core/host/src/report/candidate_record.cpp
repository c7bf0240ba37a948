#include "report/candidate_record.hpp"

#include "report/packed_bytes.hpp"
#include "report/record_texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace backplane::report {
namespace {

using Json = nlohmann::json;

constexpr DiagnosticCode kCodes[] = {
#define BACKPLANE_DIAGNOSTIC(number, name, ...) DiagnosticCode::k##name,
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
};

constexpr Intrusion kIntrusions[] = {
#define BACKPLANE_INTRUSION(name, ...) Intrusion::k##name,
#include <backplane/host/intrusions.def>
#undef BACKPLANE_INTRUSION
};

template <typename Enum>
int ToNumber(Enum value) {
  return static_cast<int>(value);
}

constexpr int kMaxCauseDepth = 16;

// The readers throw on anything unexpected; the public functions catch it.
DiagnosticCode ReadCode(const Json& number) {
  const int value = number.get<int>();
  const auto* found = std::find_if(std::begin(kCodes), std::end(kCodes),
                                   [&](DiagnosticCode code) { return ToNumber(code) == value; });
  if (found == std::end(kCodes)) throw NotARecord{};
  return *found;
}

Json MakeList(const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(MakeRecord(diagnostic));
  return list;
}

Diagnostic ReadDiagnosticOrThrow(const Json& record, int depth = 0) {
  if (depth > kMaxCauseDepth) throw NotARecord{};
  Diagnostic diagnostic{ReadCode(record.at("code"))};
  diagnostic.severity = ReadEnum(record.at("severity"), Severity::kError);
  diagnostic.subject.kind = ReadEnum(record.at("subject_kind"), SubjectKind::kOption);
  diagnostic.subject.name = ReadText(record.at("subject"));
  diagnostic.what = ReadText(record.at("what"));
  diagnostic.why = ReadText(record.at("why"));
  diagnostic.fix = ReadText(record.at("fix"));
  for (const Json& cause : record.at("causes")) {
    diagnostic.causes.push_back(ReadDiagnosticOrThrow(cause, depth + 1));
  }
  return diagnostic;
}

Json MakeRecord(const OptionValue& value) {
  // JSON has no infinities and no NaN, so the bits are written.
  std::int64_t float_bits = 0;
  std::memcpy(&float_bits, &value.float_value, sizeof(float_bits));
  return {ToNumber(value.type), value.int_value, float_bits, PackBytes(value.string_value)};
}

/// Whatever number a plugin gave it: what it says of its options is looked at elsewhere.
OptionType ReadOptionType(const Json& number) {
  return static_cast<OptionType>(number.get<std::underlying_type_t<OptionType>>());
}

OptionValue ReadValue(const Json& record) {
  OptionValue value;
  value.type = ReadOptionType(record.at(0));
  value.int_value = record.at(1).get<std::int64_t>();
  const auto float_bits = record.at(2).get<std::int64_t>();
  std::memcpy(&value.float_value, &float_bits, sizeof(float_bits));
  value.string_value = ReadText(record.at(3));
  return value;
}

Json MakeRecord(const OptionSchema& schema) {
  return {{"name", PackBytes(schema.name)},
          {"type", ToNumber(schema.type)},
          {"default", MakeRecord(schema.default_value)},
          {"has_range", schema.has_range != 0},
          {"minimum", MakeRecord(schema.minimum)},
          {"maximum", MakeRecord(schema.maximum)},
          {"allowed", PackAll(schema.allowed_strings)},
          {"text", PackBytes(schema.text)}};
}

OptionSchema ReadSchema(const Json& record) {
  OptionSchema schema;
  schema.name = ReadText(record.at("name"));
  schema.type = ReadOptionType(record.at("type"));
  schema.default_value = ReadValue(record.at("default"));
  schema.has_range = record.at("has_range").get<bool>() ? 1 : 0;
  schema.minimum = ReadValue(record.at("minimum"));
  schema.maximum = ReadValue(record.at("maximum"));
  schema.allowed_strings = ReadTexts(record.at("allowed"));
  schema.text = ReadText(record.at("text"));
  return schema;
}

Json MakeRecord(const BackendIdentity& identity) {
  Json capabilities = Json::array();
  for (const BackendOption& capability : identity.capabilities) {
    capabilities.push_back({PackBytes(capability.name), MakeRecord(capability.value)});
  }
  Json options = Json::array();
  for (const OptionSchema& schema : identity.options) options.push_back(MakeRecord(schema));
  return {{"id", PackBytes(identity.id)},
          {"major", identity.api_version.major},
          {"minor", identity.api_version.minor},
          {"capabilities", std::move(capabilities)},
          {"options", std::move(options)},
          {"factories", PackAll(identity.tensor_handle_factories)}};
}

BackendIdentity ReadIdentity(const Json& record) {
  BackendIdentity identity;
  identity.id = ReadText(record.at("id"));
  identity.api_version.major = record.at("major").get<std::uint32_t>();
  identity.api_version.minor = record.at("minor").get<std::uint32_t>();
  for (const Json& capability : record.at("capabilities")) {
    identity.capabilities.emplace_back(ReadText(capability.at(0)), ReadValue(capability.at(1)));
  }
  for (const Json& schema : record.at("options")) identity.options.push_back(ReadSchema(schema));
  identity.tensor_handle_factories = ReadTexts(record.at("factories"));
  return identity;
}

std::vector<Intrusion> ReadIntrusions(const Json& list) {
  constexpr int kLast = static_cast<int>(std::size(kIntrusions)) - 1;
  std::vector<Intrusion> intrusions;
  for (const Json& number : list) intrusions.push_back(ReadEnum(number, kIntrusions[kLast]));
  return intrusions;
}

std::vector<NetworkTime> ReadTimes(const Json& list) {
  std::vector<NetworkTime> times;
  for (const Json& time : list) {
    times.push_back({ReadText(time.at(0)), std::chrono::nanoseconds(time.at(1).get<std::int64_t>()),
                     ReadText(time.at(2)),
                     std::chrono::nanoseconds(time.at(3).get<std::int64_t>())});
  }
  return times;
}

Candidate ReadCandidateOrThrow(const Json& record) {
  Candidate candidate;
  candidate.status = ReadEnum(record.at("status"), CandidateStatus::kShadowed);
  candidate.stage = ReadEnum(record.at("stage"), Stage::kCreate);
  for (const Json& stage : record.at("stages")) {
    candidate.stages.push_back({ReadEnum(stage.at(0), Stage::kCreate),
                                std::chrono::nanoseconds(stage.at(1).get<std::int64_t>()),
                                stage.at(2).get<bool>()});
  }
  if (!record.at("identity").is_null()) candidate.identity = ReadIdentity(record.at("identity"));
  for (const Json& diagnostic : record.at("diagnostics")) {
    candidate.diagnostics.push_back(ReadDiagnosticOrThrow(diagnostic));
  }
  candidate.intrusions = ReadIntrusions(record.at("intrusions"));
  candidate.changed_state = ReadTexts(record.at("changed_state"));
  candidate.times = ReadTimes(record.at("times"));
  return candidate;
}

template <typename Read>
auto ReadOrNothing(const Read& read) -> std::optional<std::invoke_result_t<Read>> {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const NotARecord&) {
    return std::nullopt;
  }
}

}  // namespace

nlohmann::json MakeRecord(const Diagnostic& diagnostic) {
  return {{"code", ToNumber(diagnostic.code)},
          {"severity", ToNumber(diagnostic.severity)},
          {"subject_kind", ToNumber(diagnostic.subject.kind)},
          {"subject", PackBytes(diagnostic.subject.name)},
          {"what", PackBytes(diagnostic.what)},
          {"why", PackBytes(diagnostic.why)},
          {"fix", PackBytes(diagnostic.fix)},
          {"causes", MakeList(diagnostic.causes)}};
}

std::optional<Diagnostic> ReadDiagnostic(const nlohmann::json& record) {
  return ReadOrNothing([&] { return ReadDiagnosticOrThrow(record); });
}

nlohmann::json MakeRecord(const Candidate& candidate) {
  Json stages = Json::array();
  for (const StageRecord& stage : candidate.stages) {
    stages.push_back({ToNumber(stage.stage), stage.duration.count(), stage.has_failed});
  }
  Json intrusions = Json::array();
  for (const Intrusion intrusion : candidate.intrusions) intrusions.push_back(ToNumber(intrusion));
  Json times = Json::array();
  for (const NetworkTime& time : candidate.times) {
    times.push_back(
        {PackBytes(time.network), time.time.count(), PackBytes(time.refusal), time.again.count()});
  }
  return {{"status", ToNumber(candidate.status)},
          {"stage", ToNumber(candidate.stage)},
          {"stages", std::move(stages)},
          {"identity", candidate.identity ? MakeRecord(*candidate.identity) : Json(nullptr)},
          {"diagnostics", MakeList(candidate.diagnostics)},
          {"intrusions", std::move(intrusions)},
          {"changed_state", PackAll(candidate.changed_state)},
          {"times", std::move(times)}};
}

std::optional<Candidate> ReadCandidate(const nlohmann::json& record) {
  return ReadOrNothing([&] { return ReadCandidateOrThrow(record); });
}

}  // namespace backplane::report
