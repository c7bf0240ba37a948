#include "scanning/scan_family.hpp"

namespace backplane::scanning {

bool MoveOn(ScanFamily& family, const CandidateChecker& checker) {
  while (++family.current < family.files.size()) {
    Examination& next = *family.files[family.current];
    if (next.is_finished) continue;
    checker.Read(next);
    next.CloseFile();
    if (!next.is_finished) return true;
  }
  family.current = family.files.size();
  return false;
}

void ProbeFamily(ScanFamily& family, const CandidateChecker& checker, spawn::HeldSlot* slot) {
  Examination* version = family.GetCurrent();
  while (version != nullptr && !version->is_finished) {
    if (!version->has_run_in_child) {
      version->slot = slot;
      checker.Run(*version);
      version->slot = nullptr;
      version->CloseFile();
    }
    if (!version->is_finished || StandsForFamily(version->candidate.status)) return;
    version = MoveOn(family, checker) ? family.GetCurrent() : nullptr;
  }
}

bool StandsForFamily(CandidateStatus status) {
  return status == CandidateStatus::kLoaded || status == CandidateStatus::kInspected ||
         status == CandidateStatus::kUnavailable;
}

Variant DescribeVariant(const ScanFamily& family, const Candidate& candidate) {
  Variant variant;
  variant.vendor = family.planned->vendor;
  variant.family = family.planned->name;
  variant.search_path = family.planned->search_path;
  variant.cpu_level = candidate.cpu_level;
  if (!candidate.identity) return variant;
  const BackendIdentity& identity = *candidate.identity;
  if (!identity.vendor.empty()) variant.vendor = identity.vendor;
  variant.rank = identity.rank ? *identity.rank : GetRank(identity.capabilities);
  variant.version = identity.version;
  return variant;
}

}  // namespace backplane::scanning
