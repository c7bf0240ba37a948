#pragma once

#include "probing/probe_account.hpp"

#include <string>

namespace backplane::probing {

/// Whether a text says that memory was refused.
bool SpeaksOfMemory(const std::string& text);

/// The limit of data that the check sets, as the end of a sentence; "" when there is none.
std::string NameDataLimit(const ProbeAccount& account);

/// What the end of a plugin's process means when it did not come to its own end.
Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path);

}  // namespace backplane::probing
