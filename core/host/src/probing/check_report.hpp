#pragma once

#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"

#include <backplane/api/backend_version.hpp>

#include <optional>
#include <string>

namespace backplane::probing {

/// Holds a plugin's report against what else is known: how far it was to be run, how far the
/// process came, and the version that the file states. One that disagrees is taken out of the
/// account, which then says why.
void CheckReport(ProbeDepth depth, const std::optional<BackendVersion>& stated,
                 ProbeAccount& account);

/// The report cannot be, as `fault` says.
Diagnostic DescribeImpossibleReport(const std::string& path, const std::string& fault);

}  // namespace backplane::probing
