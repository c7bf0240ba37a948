#include "conflicts/conflict_judge.hpp"

#include "diagnostics/file_words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::conflicts {
namespace {

/// More backends that one stands in the way of than anybody reads of.
constexpr std::size_t kMostRemarks = 10;

struct Row {
  DiagnosticCode code;
  Severity severity;
  const char* text;
};

constexpr Row kRows[] = {
#define BACKPLANE_CLASH(name, severity, text) \
  {DiagnosticCode::k##name, Severity::k##severity, text},
#include <backplane/host/clashes.def>
#undef BACKPLANE_CLASH
};

Diagnostic Describe(const Row& row, const std::string& path, const std::string& other,
                    const Clash& clash) {
  std::string fix = clash.fix;
  if (row.severity == Severity::kError) {
    fix += "; or run it in a process of its own (BACKPLANE_ISOLATE_BACKENDS=" +
           path.substr(path.find_last_of('/') + 1) + ')';
  }
  return diagnostics::DescribeFile(row.code, path, std::string(row.text) + ' ' + other, clash.why,
                                   fix, row.severity);
}

}  // namespace

ConflictJudge::ConflictJudge(HostProcess host, OpeningOrder order)
    : order_(order),
      num_known_openings_(host.num_openings),
      certain_(std::move(host), Foresight::kCertain) {}

std::shared_ptr<const FileAccount> ConflictJudge::ReadAccount(
    const elf::File& elf, const std::string& canonical_path) const {
  return std::make_shared<const FileAccount>(ReadFileAccount(
      elf, canonical_path, certain_.GetProcess().GetHostNames(), AccountOf::kCandidate));
}

std::vector<Diagnostic> ConflictJudge::Judge(Candidate& candidate,
                                             std::shared_ptr<const FileAccount> account,
                                             FileIdentity identity) {
  judged_ = nullptr;
  if (!account) return {};
  // What is open already was judged when it was opened; of one id, only the first is opened.
  if (certain_.GetProcess().HasFromBeginning(identity)) return {};
  if (candidate.identity && ids_.count(candidate.identity->id) != 0) return {};
  judged_ = &candidate;
  judged_file_ = {candidate.path, std::move(account), identity};
  const std::vector<Clash> clashes = certain_.Check(candidate, judged_file_.account, identity);
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(clashes.size());
  for (const Clash& clash : clashes) diagnostics.push_back(Report(clash, candidate));
  for (const Clash& clash : CheckPossible()) {
    const bool is_certain = std::any_of(clashes.begin(), clashes.end(), [&](const Clash& certain) {
      return certain.kind == clash.kind;
    });
    if (is_certain) continue;
    diagnostics.push_back(Report(clash, candidate));
    diagnostics.back().severity = Severity::kWarning;
  }
  return diagnostics;
}

/// What may come, or not, is looked at when somebody brings such a thing, and from then on.
std::vector<Clash> ConflictJudge::CheckPossible() {
  if (!possible_ && !certain_.GetArrival().has_possible) return {};
  if (!possible_) {
    possible_.emplace(certain_.GetProcess().GetHost(), Foresight::kPossible);
    for (const Stay& stay : stays_) {
      possible_->Check(stay.candidate, stay.file.account, stay.file.identity);
      possible_->Admit();
    }
  }
  return possible_->Check(*judged_, judged_file_.account, judged_file_.identity);
}

std::vector<Diagnostic> ConflictJudge::JudgeToOpen(Candidate& candidate,
                                                   const PendingOpening& opening) {
  const OpeningFile& file = opening.GetFile();
  std::vector<Diagnostic> diagnostics = Judge(candidate, file.account, file.identity);
  // Whether those that are opened at their use are open by now, only the process tells.
  const bool may_be_worse = order_ == OpeningOrder::kOfUse && !diagnostics.empty();
  if (!HasMissed(opening) && !may_be_worse) return diagnostics;
  ConflictJudge present(DescribeThisProcess(), OpeningOrder::kOfTheScan);
  for (const OpeningFile& other : opening.GetOthers()) {
    Candidate pending;
    pending.path = other.path;
    present.Judge(pending, other.account, other.identity);
    present.Admit();
  }
  for (Diagnostic& diagnostic : present.Judge(candidate, file.account, file.identity)) {
    const auto known =
        std::find_if(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic& row) { return row.code == diagnostic.code; });
    if (known == diagnostics.end()) {
      diagnostics.push_back(std::move(diagnostic));
    } else if (diagnostic.severity == Severity::kError) {
      *known = std::move(diagnostic);
    }
  }
  return diagnostics;
}

/// Nothing is missed when all openings that ended since this scan began are its own.
bool ConflictJudge::HasMissed(const PendingOpening& opening) {
  if (opening.GetNumEndedBefore() > num_known_openings_) return true;
  num_known_openings_ = std::max(num_known_openings_, opening.GetNumEndedBefore() + 1);
  return !opening.GetOthers().empty();
}

void ConflictJudge::Admit() {
  if (judged_ == nullptr) return;
  certain_.Admit();
  if (possible_) possible_->Admit();
  if (judged_->identity) ids_.insert(judged_->identity->id);
  Stay& stay = stays_.emplace_back();
  stay.candidate.path = judged_->path;
  stay.candidate.changed_state = judged_->changed_state;
  stay.file = std::move(judged_file_);
  judged_ = nullptr;
}

Diagnostic ConflictJudge::Report(const Clash& clash, Candidate& candidate) {
  const Row& row = kRows[static_cast<std::size_t>(clash.kind)];
  const std::string& backend = clash.other->candidate;
  const bool is_of_another = !backend.empty() && backend != candidate.path;
  const std::string& other = is_of_another ? backend : clash.other->path;
  const auto is_known = [&](const ClashRecord& record) {
    return record.code == row.code && record.with == other;
  };
  if (std::none_of(candidate.clashes.begin(), candidate.clashes.end(), is_known)) {
    candidate.clashes.push_back({row.code, other});
  }
  if (is_of_another) {
    std::vector<Remark>& remarks = remarks_[backend];
    Remark remark{{row.code, candidate.path}, Describe(row, backend, candidate.path, clash)};
    remark.diagnostic.severity = Severity::kWarning;  // this one stays
    if (remarks.size() < kMostRemarks) remarks.push_back(std::move(remark));
  }
  Diagnostic diagnostic = Describe(row, candidate.path, other, clash);
  if (is_of_another && order_ == OpeningOrder::kOfUse) diagnostic.severity = Severity::kWarning;
  return diagnostic;
}

void ConflictJudge::Conclude(LoadReport& report) {
  for (Candidate& candidate : report.candidates) {
    const auto found = remarks_.find(candidate.path);
    if (found == remarks_.end()) continue;
    for (Remark& remark : found->second) {
      candidate.clashes.push_back(std::move(remark.record));
      candidate.diagnostics.push_back(std::move(remark.diagnostic));
    }
  }
  remarks_.clear();
}

}  // namespace backplane::conflicts
