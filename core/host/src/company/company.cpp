#include "company/company.hpp"

#include "inspection/file_words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::company {
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
  return inspection::DescribeFile(row.code, path, std::string(row.text) + ' ' + other, clash.why,
                                  clash.fix, row.severity);
}

}  // namespace

Company::Company(HostProcess host, OpeningOrder order)
    : order_(order), process_(std::move(host)), rules_(MakeClashRules(process_)) {}

std::shared_ptr<const FileAccount> Company::ReadAccount(const inspection::ElfFile& elf,
                                                        const std::string& canonical_path) const {
  return std::make_shared<const FileAccount>(
      ReadFileAccount(elf, canonical_path, process_.GetHostNames()));
}

std::vector<Diagnostic> Company::Judge(Candidate& candidate,
                                       std::shared_ptr<const FileAccount> account,
                                       FileIdentity identity) {
  judged_.reset();
  if (!account) return {};
  // What is open already was judged when it was opened; of one id, only the first is opened.
  if (process_.HasFromBeginning(identity)) return {};
  if (candidate.identity && ids_.count(candidate.identity->id) != 0) return {};
  judged_ = process_.Foresee(candidate, std::move(account), identity);
  std::vector<Diagnostic> diagnostics;
  for (const std::unique_ptr<ClashRule>& rule : rules_) {
    for (const Clash& clash : rule->Check(*judged_)) {
      diagnostics.push_back(Report(clash, candidate));
    }
  }
  return diagnostics;
}

void Company::Admit() {
  if (!judged_) return;
  process_.Admit(*judged_);
  for (const std::unique_ptr<ClashRule>& rule : rules_) rule->Admit(*judged_);
  const Candidate& candidate = *judged_->candidate;
  if (candidate.identity) ids_.insert(candidate.identity->id);
  judged_.reset();
}

Diagnostic Company::Report(const Clash& clash, Candidate& candidate) {
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

void Company::Conclude(LoadReport& report) {
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

}  // namespace backplane::company
