#pragma once

#include "execution/run_limit.hpp"
#include "placement/optimized_network.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>

namespace backplane {

/// "it failed while the network ran: ...", for the plan.
std::string DescribeExclusion(const Diagnostic& failure);

/// kPlacedElsewhere, a warning.
Diagnostic DescribePlacedElsewhere(const Placement& before, const Placement& now,
                                   const std::string& failed_backend, const Diagnostic& failure);

/// kNotPlacedElsewhere, for what was thrown when it was tried.
Diagnostic DescribeNotPlaced(const std::string& network, const std::string& failed_backend,
                             const Diagnostic& thrown);

/// kNotPlacedElsewhere, for a backend that failed behind another one.
Diagnostic DescribePlacedBefore(const std::string& network, const std::string& failed_backend,
                                const std::string& failed_before);

/// kRunNotRepeated, for a run that has written over its inputs.
Diagnostic DescribeLostInputs(const std::string& network);

/// kRunTimedOut or kRunCancelled, for a run that was over before it was repeated.
Diagnostic DescribeNoTimeLeft(const std::string& network, RunStop stop, const Diagnostic& failure);

}  // namespace backplane
