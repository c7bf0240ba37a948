#pragma once

#include "conflicts/host_process.hpp"
#include "probing/joint_run.hpp"
#include "scanning/scan_family.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/scan.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::scanning {

/// Runs the files that would be used together, in one process of their own, before any of them is
/// opened here; of those that come to a bad end there, the one with the lowest rank is rejected,
/// and what stands behind it takes its place, until the rest passes.
class JointCheck {
 public:
  /// `host` is the process beside whose libraries they are run. All must stay as long as this
  /// object.
  JointCheck(const ScanOptions& options, const BackendRegistry& registry,
             const conflicts::HostProcess& host, const CandidateChecker& checker);

  /// Of families whose current files have run in processes of their own, as far as they would be
  /// used. What was found is in the examinations.
  JointRunRecord Run(std::vector<ScanFamily>& families);

 private:
  struct Chosen {
    ScanFamily* family = nullptr;
    Examination* examination = nullptr;

    std::int64_t GetRank() const;
  };

  std::vector<Chosen> Choose(std::vector<ScanFamily>& families) const;
  static std::size_t FindLast(const probing::JointClash& clash, const std::vector<Chosen>& chosen);
  static std::string ExplainOrder(const Chosen& last, const Chosen& first);
  static std::vector<std::string> ListOthers(const Chosen& of, const Examination& left_out,
                                             const std::vector<Chosen>& staying);
  void LeaveOut(const probing::JointClash& clash, const std::vector<Chosen>& chosen) const;

  const ScanOptions& options_;
  const BackendRegistry& registry_;
  const conflicts::HostProcess& host_;
  const CandidateChecker& checker_;
  probing::JointRun joint_run_;
};

}  // namespace backplane::scanning
