#pragma once

#include "probing/probe_account.hpp"

#include <cstdint>
#include <string>

namespace backplane::probing {

/// What a host reports of a plugin that ran in a process of its own: what the plugin's process
/// reported itself, and what its end and what it left behind mean.
Candidate ExplainAccount(const ProbeAccount& account, const std::string& path);

/// What the end of a plugin's process means when it did not come to its own end.
Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path);

/// What to do when no process could be started to check backends in. `error` is errno; `program` is
/// what was to be run in it, or "" when only a copy of a process was to be made.
std::string AdviseOnStart(int error, const std::string& program);

/// "1 thread", "2 threads".
std::string Count(std::uint64_t number, const std::string& thing);

/// Whether a text says that memory was refused.
bool SpeaksOfMemory(const std::string& text);

/// The limit of data that the check sets, as the end of a sentence; "" when there is none.
std::string NameDataLimit(const ProbeAccount& account);

}  // namespace backplane::probing
