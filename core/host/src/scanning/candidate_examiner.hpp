#pragma once

#include "company/company.hpp"
#include "scanning/examination.hpp"
#include "scanning/file_reader.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/scan.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::scanning {

/// What becomes of backends that pass.
enum class Admission {
  kOpen,       // opened in this process, and registered
  kLate,       // registered and, when their id is known without, opened here at first use
  kChildOnly,  // registered without being opened here: their code ran in a process of its own
};

/// Takes candidates of one scan, one after the other, through the stages that depend on those
/// before them: whether the file was seen, whether the id is free, and the registration.
class CandidateExaminer {
 public:
  /// Null: without `contexts`, the contexts made on the way are destroyed again. What is given by
  /// reference must stay as long as this object.
  CandidateExaminer(const FileReader& reader, company::Company& company, Admission admission,
                    const ScanOptions& options, BackendRegistry& registry,
                    std::vector<LoadedContext>* contexts);

  /// Takes one candidate to its status. `examination` was opened, and perhaps read.
  Candidate Examine(std::unique_ptr<Examination> examination);

  /// Looks at a file in whose place `chosen` stands only so far as to say whether it is the same.
  Candidate ExamineShadowed(std::unique_ptr<Examination> examination, const std::string& chosen);

 private:
  using FileIdentity = std::pair<dev_t, ino_t>;

  void Judge(Examination& examination);
  bool CheckIsNew(Examination& examination);
  /// Another path may lead to the same file in a way that can be trusted.
  void Forget(const Examination& examination);
  void Pass(Examination& examination);
  bool OpenAgain(Examination& examination) const;
  bool CheckBeforeOpening(Examination& examination) const;
  /// Whether it can be in one process with the program and those before it.
  bool CheckCompany(Examination& examination) const;
  /// As CheckCompany, of one that will be in it.
  bool JoinCompany(Examination& examination) const;
  void Run(Examination& examination);
  void Admit(Examination& examination);
  bool CheckIdIsFree(const BackendRegistration& registration, Examination& examination) const;
  void Create(const DynamicBackend& backend, Examination& examination);
  void RegisterLate(Examination& examination);
  void Register(BackendRegistration registration, Examination& examination,
                CandidateStatus status_when_passed = CandidateStatus::kLoaded);

  const FileReader& reader_;
  company::Company& company_;
  Admission admission_;
  const ScanOptions& options_;
  BackendRegistry& registry_;
  std::vector<LoadedContext>* contexts_;
  std::map<FileIdentity, std::string> seen_;
};

}  // namespace backplane::scanning
