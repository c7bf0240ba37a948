#pragma once

#include "probing/probe_account.hpp"

#include <string>

namespace backplane::probing {

/// What the end of a plugin's process means when it did not come to its own end.
Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path);

}  // namespace backplane::probing
