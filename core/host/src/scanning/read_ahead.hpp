#pragma once

#include "scanning/examination.hpp"
#include "scanning/file_reader.hpp"
#include "scanning/scan_plan.hpp"

#include <memory>
#include <vector>

namespace backplane::scanning {

/// Opens, reads and closes the first file of each family, with a few threads when there are many
/// files. A file that may be reached by another name is opened only: one that was seen before is
/// not read. For each step of the plan, null where nothing was done; no step at all when one thread
/// would do it, which is then as well done when it is needed.
std::vector<std::unique_ptr<Examination>> ReadAhead(const ScanPlan& plan, const FileReader& reader);

}  // namespace backplane::scanning
