#pragma once

#include "scanning/variant_order.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <string>
#include <vector>

namespace backplane::scanning {

/// The note of a file that is not used for an id because `chosen`, a path or "static", is.
Diagnostic DescribeNotChosen(const std::string& id, const std::string& path,
                             const std::string& chosen, const std::string& why);

/// The error of a file that gives an id which another vendor's file has.
Diagnostic DescribeForeignId(const std::string& id, const std::string& path,
                             const std::string& vendor, const std::string& chosen,
                             const std::string& chosen_vendor);

/// The warning, or note, of the file that is used because those before it cannot be.
Diagnostic DescribeStandIn(const std::string& id, const std::string& path,
                           const std::vector<const Candidate*>& before);

/// The error that an id has no file as it was pinned. `files` are all that give the id.
Diagnostic DescribeUnmetPin(const std::string& id, const std::vector<VariantPin>& pins,
                            const std::vector<const Candidate*>& files);

/// Whether nothing is wrong with a rejected file but that it is for another processor.
bool IsForAnotherCpu(const Candidate& candidate);

/// Makes such a file one that stands back behind the one that is used.
void TurnIntoShadowed(const std::string& id, const std::string& chosen, Candidate& candidate);

}  // namespace backplane::scanning
