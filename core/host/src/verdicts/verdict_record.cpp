#include "verdicts/verdict_record.hpp"

#include "probing/file_record.hpp"
#include "report/candidate_record.hpp"
#include "report/candidate_rules.hpp"
#include "report/packed_bytes.hpp"
#include "report/parsed_record.hpp"
#include "report/record_texts.hpp"
#include "verdicts/checksum.hpp"

#include <nlohmann/json.hpp>

#include <tuple>
#include <utility>

namespace backplane::verdicts {
namespace {

using Json = nlohmann::json;
using report::ReadText;

constexpr std::string_view kVerdictBegin = "backplane-verdict 1 ";

VerdictRecord ReadRecord(const Json& json) {
  VerdictRecord record;
  record.circumstances.host = ReadText(json.at("host"));
  record.circumstances.environment = ReadText(json.at("environment"));
  record.circumstances.path = ReadText(json.at("path"));
  record.circumstances.canonical_path = ReadText(json.at("canonical_path"));
  record.circumstances.stamp = probing::ReadStamp(json.at("stamp"));
  for (const Json& file : json.at("files")) {
    record.files.push_back(probing::ReadFile(file));
  }
  record.written_s = json.at("written").get<std::int64_t>();
  auto candidate = report::ReadCandidate(json.at("candidate"));
  // Only what passed every stage is kept.
  const bool has_passed = candidate && candidate->status == CandidateStatus::kLoaded &&
                          candidate->stage == Stage::kCreate &&
                          report::FindContradiction(*candidate).empty();
  if (!has_passed) throw report::NotARecord{};
  record.candidate = std::move(*candidate);
  return record;
}

}  // namespace

std::string EncodeRecord(const VerdictRecord& record) {
  Json files = Json::array();
  for (const probing::MappedFile& file : record.files) files.push_back(probing::MakeRecord(file));
  const Circumstances& circumstances = record.circumstances;
  const Json json = {{"host", report::PackBytes(circumstances.host)},
                     {"environment", report::PackBytes(circumstances.environment)},
                     {"path", report::PackBytes(circumstances.path)},
                     {"canonical_path", report::PackBytes(circumstances.canonical_path)},
                     {"stamp", probing::MakeRecord(circumstances.stamp)},
                     {"files", std::move(files)},
                     {"written", record.written_s},
                     {"candidate", report::MakeRecord(record.candidate)}};
  const std::string body = json.dump();
  return std::string(kVerdictBegin) + ComputeChecksum(body) + '\n' + body;
}

std::optional<VerdictRecord> DecodeRecord(std::string_view text) {
  if (text.substr(0, kVerdictBegin.size()) != kVerdictBegin) return std::nullopt;
  text.remove_prefix(kVerdictBegin.size());
  if (text.size() < kChecksumDigits + 1 || text[kChecksumDigits] != '\n') return std::nullopt;
  const std::string_view body = text.substr(kChecksumDigits + 1);
  if (text.substr(0, kChecksumDigits) != ComputeChecksum(body)) return std::nullopt;
  try {
    return ReadRecord(report::ParsedRecord(body).Get());
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const report::NotARecord&) {
    return std::nullopt;
  }
}

bool operator==(const Circumstances& a, const Circumstances& b) {
  return a.stamp == b.stamp && std::tie(a.host, a.environment, a.path, a.canonical_path) ==
                                   std::tie(b.host, b.environment, b.path, b.canonical_path);
}

}  // namespace backplane::verdicts
