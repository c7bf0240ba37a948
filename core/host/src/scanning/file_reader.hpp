#pragma once

#include "inspection/dependency_inspector.hpp"
#include "opening/shared_library.hpp"
#include "scanning/disabled.hpp"
#include "scanning/examination.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/scan.hpp>

#include <memory>

namespace backplane::scanning {

/// Takes candidates through the stages that are the same whichever other candidates there are:
/// those that read the file, and those that run in a process of their own.
///
/// Threads: any.
class FileReader {
 public:
  explicit FileReader(const ScanOptions& options)
      : options_(options),
        disabled_(options.disabled),
        dependencies_(
            std::make_unique<inspection::DependencyInspector>(opening::IsDefinedInProcess)) {}

  /// Opens the file. Finished: it is disabled, or cannot be opened.
  std::unique_ptr<Examination> Open(const PlannedFile& planned) const;

  /// Runs the stages that read the file, and, when a child process is asked for and none of them
  /// failed, those that run its code, there. Finished: one failed, or no more was asked for.
  void Read(Examination& examination) const;

  const DisabledBackends& GetDisabled() const { return disabled_; }

 private:
  void Inspect(Examination& examination) const;
  void Probe(Examination& examination) const;
  void AskForDeclaration(Examination& examination) const;

  const ScanOptions& options_;
  DisabledBackends disabled_;
  std::unique_ptr<inspection::DependencyInspector> dependencies_;  // locks itself
};

}  // namespace backplane::scanning
