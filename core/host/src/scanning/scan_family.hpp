#pragma once

#include "scanning/candidate_checker.hpp"
#include "scanning/examination.hpp"
#include "scanning/scan_plan.hpp"
#include "scanning/variant_order.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace backplane::scanning {

/// The versions of one name in one directory, on their way through the stages. They are tried one
/// after the other; the first that can be used, or is unavailable, stands for all.
struct ScanFamily {
  const PlannedFamily* planned = nullptr;
  std::vector<std::unique_ptr<Examination>> files;  // every version
  std::size_t current = 0;                          // the one that is tried; files.size(): none is

  /// Null: none is left that can be tried.
  Examination* GetCurrent() const {
    return current < files.size() ? files[current].get() : nullptr;
  }
};

/// Goes on to the next version that passes the stages that read the file. False: there is none.
bool MoveOn(ScanFamily& family, const CandidateChecker& checker);

/// Takes the versions through the stages that run in a process of their own, until one passes or is
/// unavailable; each at most once.
void ProbeFamily(ScanFamily& family, const CandidateChecker& checker, spawn::HeldSlot* slot);

/// Whether a candidate stands for its family, so that other versions are not tried.
bool StandsForFamily(CandidateStatus status);

/// What is known of one file of a family to choose by.
Variant DescribeVariant(const ScanFamily& family, const Candidate& candidate);

}  // namespace backplane::scanning
