#pragma once

#include "conflicts/conflict_judge.hpp"
#include "scanning/candidate_checker.hpp"
#include "scanning/examination.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/late_backend.hpp>
#include <backplane/host/scan.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::scanning {

/// Takes candidates of one scan, one after the other, through the stages that depend on those
/// before them: whether the file was seen, and the registration; and opens them in this process.
class CandidateRegistrar {
 public:
  /// Null: without `contexts`, the contexts made on the way are destroyed again. What is given by
  /// reference must stay as long as this object.
  CandidateRegistrar(const CandidateChecker& checker, conflicts::ConflictJudge& judge,
                     Admission admission, const ScanOptions& options, BackendRegistry& registry,
                     std::vector<LoadedContext>* contexts);

  /// Whether another path led to the same file before.
  bool WasSeen(const Examination& examination) const;
  /// Whether no other path led to the same file before. Finished: one did.
  bool CheckIsNew(Examination& examination);
  /// Another path may lead to the same file in a way that can be trusted.
  void Forget(const Examination& examination);

  /// Opens a file here and creates its backend, to know its id; only to know it when the id is
  /// registered. Finished: that failed.
  void Open(Examination& examination) const;

  /// Takes a file that passed what comes before to its status: it is used for its id, unless
  /// something fails. Not finished: the id is registered. `next` are the files that are tried when
  /// it fails at first use.
  void Admit(Examination& examination, std::vector<PlannedFile> next);

 private:
  /// Whether it can be in one process with the program and those before it. Sets `opening` when it
  /// is opened next; null: it is not.
  bool CheckConflicts(Examination& examination,
                      std::unique_ptr<conflicts::PendingOpening>* opening) const;
  /// Checks one that will be in this process, as CheckConflicts does.
  bool JoinProcess(Examination& examination) const;
  void OpenBackend(Examination& examination) const;
  bool IsIsolated(const Examination& examination) const;
  bool CheckIdIsFree(Examination& examination) const;
  void Create(std::shared_ptr<const DynamicBackend> backend, Examination& examination) const;
  void AdmitIsolated(Examination& examination);
  void ReportIsolation(Examination& examination) const;
  void AdmitUnopened(Examination& examination);
  void AdmitLate(Examination& examination, std::vector<PlannedFile> next);
  void AdmitOpen(Examination& examination);
  void Register(BackendRegistration registration, Examination& examination,
                CandidateStatus status_when_passed);

  const CandidateChecker& checker_;
  conflicts::ConflictJudge& judge_;
  Admission admission_;
  const ScanOptions& options_;
  std::shared_ptr<const ScanOptions> kept_options_;  // for files that are opened later; or null
  BackendRegistry& registry_;
  std::vector<LoadedContext>* contexts_;
  std::map<conflicts::FileIdentity, std::string> seen_;
};

/// Makes the registration of a file that is opened at first use. It has passed the file stages,
/// with an ABI note, and its id is known: from its manifest, or from a process of its own.
/// `options` are those of the scan. Of `next`, the first that gives the same id and passes every
/// stage takes its place when it fails then.
BackendRegistration MakeLateRegistration(const Examination& examination,
                                         std::shared_ptr<const ScanOptions> options,
                                         std::vector<PlannedFile> next);

}  // namespace backplane::scanning
