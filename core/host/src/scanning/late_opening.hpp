#pragma once

#include "scanning/examination.hpp"
#include "scanning/scan_plan.hpp"

#include <backplane/host/late_backend.hpp>
#include <backplane/host/scan.hpp>

#include <memory>
#include <vector>

namespace backplane::scanning {

/// What to register for a file that is to be opened at first use. It has passed the file stages,
/// with an ABI note, and its id is known: from its manifest, or from a process of its own.
/// `options` are those of the scan. Of `next`, the first that gives the same id and passes every
/// stage takes its place when it fails then.
BackendRegistration MakeLateRegistration(const Examination& examination,
                                         std::shared_ptr<const ScanOptions> options,
                                         std::vector<PlannedFile> next);

}  // namespace backplane::scanning
