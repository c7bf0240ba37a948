#pragma once

#include "probing/probe_account.hpp"

#include <cstdint>
#include <string>

namespace backplane::probing {

/// Makes the host's report of a plugin that ran in a process of its own, from the report of that
/// process, its end and what it left behind.
Candidate ExplainAccount(const ProbeAccount& account, const std::string& path);

/// Explains the end of a plugin's process that did not come to its own end.
Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path);

/// Advises on the start of a process for checks, which failed. `error` is errno; `program` was to
/// be run in it, or is "" when only a copy of a process was to be made.
std::string AdviseOnStart(int error, const std::string& program);

/// "1 thread", "2 threads".
std::string Count(std::uint64_t number, const std::string& thing);

/// Whether a text says that memory was refused.
bool SpeaksOfMemory(const std::string& text);

/// The limit of data that the check sets, as the end of a sentence; "" when there is none.
std::string NameDataLimit(const ProbeAccount& account);

}  // namespace backplane::probing
