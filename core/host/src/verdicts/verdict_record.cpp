#include "verdicts/verdict_record.hpp"

#include "report/candidate_record.hpp"
#include "report/packed_bytes.hpp"
#include "verdicts/checksum.hpp"

#include <nlohmann/json.hpp>

#include <tuple>
#include <utility>

namespace backplane::verdicts {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kBegin = "backplane-verdict 1 ";
constexpr std::size_t kChecksumDigits = 16;

struct NotARecord {};

Json MakeStamp(const discovery::FileStamp& stamp) {
  return Json::array(
      {stamp.device, stamp.inode, stamp.size_bytes, stamp.modified_ns, stamp.changed_ns});
}

discovery::FileStamp ReadStamp(const Json& record) {
  return {record.at(0).get<std::uint64_t>(), record.at(1).get<std::uint64_t>(),
          record.at(2).get<std::uint64_t>(), record.at(3).get<std::int64_t>(),
          record.at(4).get<std::int64_t>()};
}

std::string ReadText(const Json& record) {
  auto bytes = report::UnpackBytes(record.get_ref<const std::string&>());
  if (!bytes) throw NotARecord{};
  return std::move(*bytes);
}

VerdictRecord ReadRecord(const Json& json) {
  VerdictRecord record;
  record.circumstances.host = ReadText(json.at("host"));
  record.circumstances.environment = ReadText(json.at("environment"));
  record.circumstances.path = ReadText(json.at("path"));
  record.circumstances.canonical_path = ReadText(json.at("canonical_path"));
  record.circumstances.stamp = ReadStamp(json.at("stamp"));
  for (const Json& file : json.at("files")) {
    record.files.push_back({ReadText(file.at(0)), ReadStamp(file.at(1))});
  }
  record.written_s = json.at("written").get<std::int64_t>();
  auto candidate = report::ReadCandidate(json.at("candidate"));
  if (!candidate) throw NotARecord{};
  record.candidate = std::move(*candidate);
  return record;
}

}  // namespace

std::string EncodeRecord(const VerdictRecord& record) {
  Json files = Json::array();
  for (const probing::MappedFile& file : record.files) {
    files.push_back(Json::array({report::PackBytes(file.path), MakeStamp(file.stamp)}));
  }
  const Circumstances& circumstances = record.circumstances;
  const Json json = {{"host", report::PackBytes(circumstances.host)},
                     {"environment", report::PackBytes(circumstances.environment)},
                     {"path", report::PackBytes(circumstances.path)},
                     {"canonical_path", report::PackBytes(circumstances.canonical_path)},
                     {"stamp", MakeStamp(circumstances.stamp)},
                     {"files", std::move(files)},
                     {"written", record.written_s},
                     {"candidate", report::MakeRecord(record.candidate)}};
  const std::string body = json.dump();
  return std::string(kBegin) + ComputeChecksum(body) + '\n' + body;
}

std::optional<VerdictRecord> DecodeRecord(std::string_view text) {
  if (text.substr(0, kBegin.size()) != kBegin) return std::nullopt;
  text.remove_prefix(kBegin.size());
  if (text.size() < kChecksumDigits + 1 || text[kChecksumDigits] != '\n') return std::nullopt;
  const std::string_view body = text.substr(kChecksumDigits + 1);
  if (text.substr(0, kChecksumDigits) != ComputeChecksum(body)) return std::nullopt;
  try {
    return ReadRecord(Json::parse(body));
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const NotARecord&) {
    return std::nullopt;
  }
}

bool operator==(const Circumstances& a, const Circumstances& b) {
  return a.stamp == b.stamp && std::tie(a.host, a.environment, a.path, a.canonical_path) ==
                                   std::tie(b.host, b.environment, b.path, b.canonical_path);
}

}  // namespace backplane::verdicts
