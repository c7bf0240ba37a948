#pragma once

#include "scanning/candidate_checker.hpp"
#include "scanning/scan_family.hpp"

#include <backplane/host/scan.hpp>

#include <vector>

namespace backplane::scanning {

/// Compares the files of each id by their times, when ScanOptions::variant_times asks for it:
/// those that are kept, and, where processes are started, those that are measured now. With kOrder,
/// tells the families of each id whose files all have one, or failed meanwhile, their times.
/// `registry` has what stands before all files.
void MeasureVariants(std::vector<ScanFamily>& families, const ScanOptions& options,
                     const CandidateChecker& checker, const BackendRegistry& registry,
                     std::vector<VariantSpeeds>& speeds);

}  // namespace backplane::scanning
