#pragma once

#include "discovery/candidate_file.hpp"
#include "inspection/dependency_inspector.hpp"
#include "inspection/inspect_file.hpp"
#include "scanning/candidate_ladder.hpp"
#include "scanning/disabled.hpp"

#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/scan.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::scanning {

/// Takes candidates of one scan through the stages, one after the other.
class CandidateExaminer {
 public:
  /// Null: without `contexts`, the contexts made on the way are destroyed again.
  CandidateExaminer(const ScanOptions& options, BackendRegistry& registry,
                    std::vector<LoadedContext>* contexts);

  /// Takes one file through the stages from "file" on. `direct_path` is the canonical path unless
  /// the path is a link; empty when it is not known. `name_fault` is what was wrong with a name
  /// given explicitly.
  Candidate Examine(const std::string& path, const std::string& direct_path,
                    std::optional<Diagnostic> name_fault);

  /// Looks at a file in whose place `chosen` stands only so far as to say whether it is the same.
  Candidate ExamineShadowed(const std::string& path, const std::string& direct_path,
                            const std::string& chosen);

 private:
  using FileIdentity = std::pair<dev_t, ino_t>;

  bool CheckFile(Candidate& candidate, CandidateLadder& ladder, discovery::CandidateFile& file,
                 const std::string& direct_path);
  void Inspect(const discovery::CandidateFile& file, Candidate& candidate, CandidateLadder& ladder,
               std::optional<AbiNote>& note);
  void Run(const discovery::CandidateFile& file, const std::optional<AbiNote>& note,
           Candidate& candidate, CandidateLadder& ladder);
  bool CheckIdIsFree(const DynamicBackend& backend, Candidate& candidate,
                     CandidateLadder& ladder) const;
  void Create(const DynamicBackend& backend, Candidate& candidate, CandidateLadder& ladder);

  const ScanOptions& options_;
  DisabledBackends disabled_;
  BackendRegistry& registry_;
  std::vector<LoadedContext>* contexts_;
  std::map<FileIdentity, std::string> seen_;
  inspection::DependencyInspector dependencies_;
};

}  // namespace backplane::scanning
