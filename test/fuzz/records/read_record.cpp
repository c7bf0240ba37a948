#include "read_record.hpp"

#include "probing/explain_account.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "probing/verdict_cache.hpp"
#include "report/candidate_rules.hpp"

#include <utility>

namespace backplane::fuzz {
namespace {

const char* const kPath = "/fuzz/Fuzz_Record_backend.so";
constexpr std::string_view kVerdictBegin = "backplane-verdict 2 ";

/// As the views and the caller use it: a loaded one has an identity, and every refusal has words.
std::string FindFaultInCandidate(const Candidate& candidate) {
  if (candidate.status == CandidateStatus::kLoaded) {
    if (!candidate.identity) return "loaded without an identity";
    if (candidate.identity->id.empty()) return "loaded without an id";
  }
  const Diagnostic* headline = GetHeadline(candidate);
  if (candidate.status == CandidateStatus::kRejected && headline == nullptr) {
    return "rejected without a reason";
  }
  LoadReport report;
  report.candidates.push_back(candidate);
  if (ToJson(report).empty()) return "no JSON";
  return "";
}

/// The account goes to the host, which explains it.
std::string FindFaultInAccount(probing::ProbeAccount account) {
  probing::CheckReport(probing::ProbeDepth::kCreate, BackendVersion{1, 0}, account);
  const bool is_believed = account.report.has_value();
  const Candidate candidate = probing::ExplainAccount(account, kPath);
  if (candidate.status == CandidateStatus::kLoaded && !is_believed)
    return "loaded by nobody's word";
  return FindFaultInCandidate(candidate);
}

Candidate MakeLoaded() {
  Candidate candidate;
  candidate.status = CandidateStatus::kLoaded;
  candidate.stage = Stage::kCreate;
  candidate.stages = {{Stage::kOpen}, {Stage::kIdentify}, {Stage::kCreate}};
  candidate.identity = BackendIdentity{"Fuzz", {1, 0}};
  candidate.identity->capabilities.emplace_back("Rank", OptionValue(std::int64_t{7}));
  candidate.identity->options.emplace_back();
  candidate.identity->options.back().name = "Threads";
  candidate.identity->tensor_handle_factories = {"Fuzz/Tensors"};
  return candidate;
}

Candidate MakeRejected() {
  Candidate candidate;
  candidate.status = CandidateStatus::kRejected;
  candidate.stage = Stage::kOpen;
  candidate.stages = {{Stage::kOpen, std::chrono::nanoseconds(17), true}};
  Diagnostic refusal{DiagnosticCode::kOpenFailed};
  refusal.what = "the loader refused it";
  refusal.causes.push_back(Diagnostic{DiagnosticCode::kMissingDependency});
  candidate.diagnostics.push_back(std::move(refusal));
  return candidate;
}

std::string MakeReport(Candidate candidate) {
  probing::PluginReport report;
  report.candidate = std::move(candidate);
  report.state.changes = {"the umask from 0022 to 0000"};
  report.state.num_threads_left = 1;
  report.state.descriptors_left = {"7 (/dev/null)"};
  report.files.push_back({"/lib/one.so", {1, 2, 3, 4, 5}});
  return probing::EncodeReport(report);
}

probing::ProbeAccount MakeAccount() {
  probing::ProbeAccount account;
  account.end = probing::ProcessEnd::kExited;
  account.stage = Stage::kCreate;
  account.is_closed = true;
  account.stderr_end = "one line";
  return account;
}

}  // namespace

ReadRecords ReadAsEveryRecord(std::string_view bytes) {
  ReadRecords read;
  const auto take = [&](std::string fault) {
    ++read.num_whole;
    if (read.fault.empty()) read.fault = std::move(fault);
  };
  const probing::ReceivedReport received = probing::DecodeReport(bytes);
  if (received.report.has_value() == !received.fault.empty()) read.fault = "no report, no fault";
  if (received.report) take(FindFaultInCandidate(received.report->candidate));
  for (const std::string& framed :
       {std::string(bytes), probing::EncodeAccount(MakeAccount(), bytes)}) {
    auto account = probing::DecodeAccount(framed).account;
    if (account) take(FindFaultInAccount(std::move(*account)));
  }
  for (const std::string& text :
       {std::string(bytes),
        std::string(kVerdictBegin) + probing::ComputeChecksum(bytes) + '\n' + std::string(bytes)}) {
    const auto verdict = probing::DecodeRecord(text);
    if (verdict) take(FindFaultInCandidate(verdict->candidate));
  }
  return read;
}

std::vector<std::string> MakeGoodRecords() {
  probing::VerdictRecord verdict;
  verdict.circumstances = {"host", "environment", "/a/given", "/a/canonical", {1, 2, 3, 4, 5}};
  verdict.files = {{"/lib/one.so", {6, 7, 8, 9, 10}}};
  verdict.candidate = MakeLoaded();
  const std::string text = probing::EncodeRecord(verdict);
  return {MakeReport(MakeLoaded()),
          MakeReport(MakeRejected()),
          probing::EncodeAccount(MakeAccount(), MakeReport(MakeLoaded())),
          probing::EncodeAccount(MakeAccount(), ""),
          text,
          text.substr(text.find('\n') + 1)};
}

}  // namespace backplane::fuzz
