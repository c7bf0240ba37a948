#pragma once

#include "scanning/run_ahead.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/scan.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace backplane::conflicts {
class ConflictJudge;
}  // namespace backplane::conflicts

namespace backplane::scanning {

class CandidateRegistrar;
struct ScanFamily;
struct VariantPlace;

/// Takes one plan to its report: every file is read; what has to be run to know its id is run; then
/// one file is chosen for each id, and the others say why they are not used.
class ScanRun {
 public:
  /// Null: see CandidateRegistrar for `contexts`. All must stay as long as this object.
  ScanRun(const ScanOptions& options, Admission admission, BackendRegistry& registry,
          std::vector<LoadedContext>* contexts);
  ~ScanRun();

  LoadReport Run();

 private:
  void ReadFiles();
  std::unique_ptr<Examination> OpenNew(const PlannedFile& file, std::unique_ptr<Examination> ahead);
  ScanFamily ReadFamily(const PlannedFamily& planned, std::unique_ptr<Examination> ahead);
  void ProbeAhead();
  void AddPlaceTasks(std::vector<Task>& tasks);
  void AddDeclarationTasks(std::vector<Task>& tasks);
  void OpenUnknown();
  void FillPlaces();
  void FillPlace(const VariantPlace& place);
  bool Try(ScanFamily& family, const VariantPlace& place, std::size_t contender);
  void Admit(Examination& version, const VariantPlace& place, std::size_t contender);
  void AdmitUnknown();
  void ShadowOtherVersions(ScanFamily& family);
  void Collect();

  const ScanOptions& options_;
  Admission admission_;
  BackendRegistry& registry_;
  ScanPlan plan_;
  std::unique_ptr<conflicts::ConflictJudge> judge_;
  std::unique_ptr<const CandidateChecker> checker_;
  std::unique_ptr<CandidateRegistrar> registrar_;
  StepTeller steps_;
  std::vector<ScanFamily> families_;  // one for each step of the plan; empty for what is skipped
  LoadReport report_;
};

}  // namespace backplane::scanning
