#pragma once

#include "backend/shared_library.hpp"
#include "conflicts/conflict_judge.hpp"
#include "files/trust_checker.hpp"
#include "libraries/dependency_inspector.hpp"
#include "probing/verdict_cache.hpp"
#include "scanning/examination.hpp"
#include "scanning/operator_rules.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/scan.hpp>

#include <memory>
#include <optional>

namespace backplane::scanning {

/// The use of a kept verdict on a backend that rests on a device, which may be gone since.
enum class KeptOfDevices {
  kUse,       // enough, where the backend is asked again when it is opened here
  kAskAgain,  // nothing: the backend is run
};

/// Takes candidates through the stages that are the same whichever other candidates there are:
/// those that read the file, and those that run in a process of their own.
///
/// Threads: any.
class CandidateChecker {
 public:
  /// `judge` must stay as long as this object.
  CandidateChecker(const ScanOptions& options, const conflicts::ConflictJudge& judge,
                   KeptOfDevices kept_of_devices = KeptOfDevices::kUse);

  /// Opens the file. Finished: it is disabled, or cannot be opened.
  /// Errors: std::bad_alloc when there is not even memory to say so; none otherwise, as of Read.
  std::unique_ptr<Examination> Open(const PlannedFile& planned) const;

  /// Checks whether the file may be trusted, and runs the stages that read it; opens it again when
  /// it was closed. Finished: one failed.
  void Read(Examination& examination) const;

  /// The stages that run code of the file, in a process of its own, for one that passed the others.
  /// Finished: one failed.
  void Run(Examination& examination) const;

  /// Asks a file that was built for another host, in a process of its own, what it declares, and
  /// adds that to the reason why it is refused. Does nothing for other files.
  void AskForDeclaration(Examination& examination) const;

  /// Whether the id, as far as it is known, is not a disabled one. Finished: it is.
  bool CheckIsEnabled(Examination& examination) const;

  /// Why verdicts cannot be kept, where they should be.
  std::optional<Diagnostic> DescribeCacheFault() const {
    return verdicts_ ? verdicts_->GetFault() : std::nullopt;
  }

 private:
  void OpenFile(const PlannedFile& planned, Examination& examination) const;
  /// Opens a file that whoever looked at it before closed. False: it is not the same any more, and
  /// the examination is finished.
  bool OpenAgain(Examination& examination) const;
  void ReadFile(Examination& examination) const;
  void CheckTrust(Examination& examination) const;
  void CollectFacts(Examination& examination) const;
  void Inspect(Examination& examination) const;
  void CheckDependencies(const inspection::InspectedFile& file, Examination& examination) const;
  void RunFile(Examination& examination) const;
  void CheckList(Examination& examination) const;
  void Probe(Examination& examination) const;
  probing::SandboxPlan PlanSandbox(const Candidate& candidate) const;
  probing::ProbeVerdict ProbeInChild(Examination& examination,
                                     const probing::SandboxPlan& sandbox) const;
  void CheckAdopted(Examination& examination) const;

  const ScanOptions& options_;
  const conflicts::ConflictJudge& judge_;
  KeptOfDevices kept_of_devices_;
  DisabledBackends disabled_;
  mutable files::TrustChecker trust_;              // remembers what it found; guards that itself
  std::optional<probing::VerdictCache> verdicts_;  // when processes are started
  std::unique_ptr<libraries::DependencyInspector> dependencies_;  // locks itself
};

}  // namespace backplane::scanning
