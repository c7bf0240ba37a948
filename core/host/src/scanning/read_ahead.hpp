#pragma once

#include "scanning/candidate_checker.hpp"
#include "scanning/examination.hpp"
#include "scanning/scan_plan.hpp"
#include "scanning/step_teller.hpp"

#include <memory>
#include <vector>

namespace backplane::scanning {

/// Opens, reads and closes the first file of each family, with a few threads when there are many
/// files. One that several names lead to is read by one of them and opened by the others. For each
/// step of the plan, null where nothing was done; no step at all when one thread would do it, which
/// is then as well done when it is needed.
std::vector<std::unique_ptr<Examination>> ReadAhead(const ScanPlan& plan,
                                                    const CandidateChecker& reader,
                                                    StepTeller& steps);

}  // namespace backplane::scanning
