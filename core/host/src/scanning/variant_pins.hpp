#pragma once

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <string>
#include <vector>

namespace backplane::scanning {

/// Those of the pins that are for an id.
std::vector<VariantPin> SelectPins(const std::vector<VariantPin>& pins, const std::string& id);

/// Whether one of the pins means the file of a candidate. True when there are none.
bool IsMeant(const std::vector<VariantPin>& pins, const Candidate& candidate);

/// "Acme_NpuV3*", or several with "or" between them. `pins` is not empty.
std::string NamePinned(const std::vector<VariantPin>& pins);

}  // namespace backplane::scanning
