#include "probing/verdict_cache.hpp"

#include "report/candidate_fields.hpp"
#include "report/candidate_rules.hpp"

#include <cstdint>
#include <cstdio>

namespace backplane::probing {
namespace {

constexpr std::string_view kVerdictBegin = "backplane-verdict 2 ";

}  // namespace

template <typename Fields>
void VisitFields(Fields& fields, Circumstances& circumstances) {
  fields(circumstances.host, circumstances.environment, circumstances.path,
         circumstances.canonical_path, circumstances.stamp);
}

template <typename Fields>
void VisitFields(Fields& fields, VerdictRecord& record) {
  fields(record.circumstances, record.files, record.written, record.candidate);
  // Only what passed every stage is kept.
  fields.Require(record.candidate.status == CandidateStatus::kLoaded &&
                 record.candidate.stage == Stage::kCreate &&
                 report::FindContradiction(record.candidate).empty());
}

std::string EncodeRecord(const VerdictRecord& record) {
  const std::string body = wire::WriteFields(record);
  return std::string(kVerdictBegin) + ComputeChecksum(body) + '\n' + body;
}

std::optional<VerdictRecord> DecodeRecord(std::string_view text) {
  if (text.substr(0, kVerdictBegin.size()) != kVerdictBegin) return std::nullopt;
  text.remove_prefix(kVerdictBegin.size());
  if (text.size() < kChecksumDigits + 1 || text[kChecksumDigits] != '\n') return std::nullopt;
  const std::string_view body = text.substr(kChecksumDigits + 1);
  if (text.substr(0, kChecksumDigits) != ComputeChecksum(body)) return std::nullopt;
  return wire::ReadFields<VerdictRecord>(body);
}

bool operator==(const Circumstances& a, const Circumstances& b) {
  return wire::WriteFields(a) == wire::WriteFields(b);
}

std::string ComputeChecksum(std::string_view text) {
  constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325U;
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t sum = kOffsetBasis;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * kPrime;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(sum));
  return digits;
}

}  // namespace backplane::probing
