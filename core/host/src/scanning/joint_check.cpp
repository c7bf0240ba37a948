#include "scanning/joint_check.hpp"

#include "conflicts/conflict_judge.hpp"
#include "diagnostics/file_words.hpp"
#include "isolation/isolation_rules.hpp"
#include "scanning/variant_places.hpp"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace backplane::scanning {
namespace {

using probing::JointClash;

/// The file of a family that passes every stage in a process of its own. Null: none does.
Examination* FindPassing(ScanFamily& family, const CandidateChecker& checker) {
  ProbeFamily(family, checker, nullptr);
  Examination* version = family.GetCurrent();
  while (version != nullptr && version->is_finished &&
         !StandsForFamily(version->candidate.status)) {
    version = MoveOn(family, checker) ? family.GetCurrent() : nullptr;
    if (version != nullptr) ProbeFamily(family, checker, nullptr);
  }
  return version != nullptr && !version->is_finished ? version : nullptr;
}

/// Whether what the files say lets it be in one process with those before it. Nothing is told: that
/// comes when it is admitted.
bool FitsIn(const Examination& examination, conflicts::ConflictJudge& judge) {
  Candidate copy = examination.candidate;
  const bool has_error = diagnostics::HasError(judge.Judge(
      copy, examination.inspected->account, conflicts::GetFileIdentity(examination.file->status)));
  if (!has_error) judge.Admit();
  return !has_error;
}

probing::Participant MakeParticipant(const Examination& examination) {
  const Candidate& candidate = examination.candidate;
  probing::Participant participant;
  participant.file = {candidate.path, examination.file->canonical_path,
                      files::MakeFileStamp(examination.file->status)};
  for (const StageRecord& stage : candidate.stages) {
    if (stage.stage >= Stage::kOpen) participant.alone += stage.duration;
  }
  return participant;
}

void Remember(DiagnosticCode code, const std::vector<std::string>& paths, Candidate& candidate) {
  for (const std::string& path : paths) candidate.clashes.push_back({code, path});
}

}  // namespace

JointCheck::JointCheck(const ScanOptions& options, const BackendRegistry& registry,
                       const conflicts::HostProcess& host, const CandidateChecker& checker)
    : options_(options),
      registry_(registry),
      host_(host),
      checker_(checker),
      joint_run_(options.probe_settings,
                 probing::ListProgramLibraries(host, options.program.empty()
                                                         ? probing::WhoseProcess::kThis
                                                         : probing::WhoseProcess::kOther)) {}

JointRunRecord JointCheck::Run(std::vector<ScanFamily>& families) {
  const auto begin = std::chrono::steady_clock::now();
  JointRunRecord record;
  while (true) {
    const std::vector<Chosen> chosen = Choose(families);
    record.num_backends = chosen.size();
    if (!joint_run_.IsWanted(chosen.size())) break;
    std::vector<probing::Participant> participants;
    for (const Chosen& one : chosen) participants.push_back(MakeParticipant(*one.examination));
    probing::JointOutcome outcome = joint_run_.Run(participants);
    std::move(outcome.doubts.begin(), outcome.doubts.end(), std::back_inserter(record.diagnostics));
    if (outcome.clash) {
      LeaveOut(*outcome.clash, chosen);
      continue;
    }
    record.has_passed = outcome.has_passed;
    record.verdict_of = outcome.verdict_of;
    break;
  }
  record.num_processes = joint_run_.GetNumRuns();
  record.duration = std::chrono::steady_clock::now() - begin;
  return record;
}

/// As they are admitted later.
std::vector<JointCheck::Chosen> JointCheck::Choose(std::vector<ScanFamily>& families) const {
  conflicts::ConflictJudge judge(host_, conflicts::OpeningOrder::kOfTheScan);
  std::vector<Chosen> chosen;
  for (const VariantPlace& place : MakePlaces(families, options_.variants)) {
    if (registry_.IsBackendRegistered(place.id)) continue;
    for (ScanFamily* family : place.contenders) {
      Examination* examination = FindPassing(*family, checker_);
      const bool is_usable =
          examination != nullptr && examination->candidate.identity->id == place.id;
      if (!is_usable) continue;
      // One that is isolated is in no process with others.
      if (isolation::IsIsolated(options_, place.id, examination->candidate.path)) break;
      if (!FitsIn(*examination, judge)) continue;
      chosen.push_back({family, examination});
      break;
    }
  }
  return chosen;
}

std::int64_t JointCheck::Chosen::GetRank() const {
  return DescribeVariant(*family, examination->candidate).rank;
}

/// The lowest rank decides, and of equal ranks the later file. Only those are looked at that take
/// part in every clash, or all of this one when none does.
std::size_t JointCheck::FindLast(const JointClash& clash, const std::vector<Chosen>& chosen) {
  const auto& blamed = clash.common.empty() ? clash.participants : clash.common;
  std::size_t last = blamed.front();
  for (const std::size_t participant : blamed) {
    if (chosen[participant].GetRank() <= chosen[last].GetRank()) last = participant;
  }
  return last;
}

std::string JointCheck::ExplainOrder(const Chosen& last, const Chosen& first) {
  const std::string rank = std::to_string(last.GetRank());
  const std::string left = diagnostics::GetFileName(last.examination->candidate.path);
  if (last.GetRank() == first.GetRank()) {
    return "all have the rank " + rank + ", and " + left + " comes last";
  }
  return "the rank of " + left + " is " + rank + ", that of " +
         diagnostics::GetFileName(first.examination->candidate.path) + " is " +
         std::to_string(first.GetRank());
}

/// The paths of the others, the one that is left out first.
std::vector<std::string> JointCheck::ListOthers(const Chosen& of, const Examination& left_out,
                                                const std::vector<Chosen>& staying) {
  std::vector<std::string> paths;
  if (of.examination != &left_out) paths.push_back(left_out.candidate.path);
  for (const Chosen& other : staying) {
    if (other.examination != of.examination) paths.push_back(other.examination->candidate.path);
  }
  return paths;
}

/// Rejects the one that comes last of those that clash, and tells all of the others.
void JointCheck::LeaveOut(const JointClash& clash, const std::vector<Chosen>& chosen) const {
  const Chosen& last = chosen[FindLast(clash, chosen)];
  Examination& left_out = *last.examination;
  std::vector<Chosen> staying;
  for (const std::size_t participant : clash.participants) {
    if (chosen[participant].examination != &left_out) staying.push_back(chosen[participant]);
  }
  const bool is_only_cause = clash.common.size() == 1;
  const std::string order =
      staying.empty() ? ""
      : is_only_cause
          ? "without " + diagnostics::GetFileName(left_out.candidate.path) + ", all others get on"
          : ExplainOrder(last, staying.front());
  for (const Chosen& one : staying) {
    const auto others = ListOthers(one, left_out, staying);
    Candidate& candidate = one.examination->candidate;
    candidate.diagnostics.push_back(probing::DescribeStays(
        clash, candidate.path, diagnostics::GetFileName(left_out.candidate.path), others, order));
    Remember(candidate.diagnostics.back().code, others, candidate);
  }
  const auto others = ListOthers(last, left_out, staying);
  Diagnostic error = probing::DescribeLeftOut(clash, left_out.candidate.path, others, order);
  Remember(error.code, others, left_out.candidate);
  Remember(error.code, clash.libraries, left_out.candidate);
  left_out.ladder.Begin(Stage::kCompany);
  left_out.ladder.Report(std::move(error));
  left_out.Finish(CandidateStatus::kRejected);
}

}  // namespace backplane::scanning
