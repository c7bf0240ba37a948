// Which backends run in processes of their own.
#pragma once

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <string>

namespace backplane::isolation {

/// Whether there is any rule; only then backends have to be looked at elsewhere first.
bool HasRules(const ScanOptions& options);

/// What the rules say of a backend. Those of drop-in files come first, so that the application's
/// hold.
bool IsIsolated(const ScanOptions& options, const std::string& id, const std::string& path);

/// The same, of a file that has passed in a process of its own; no other is isolated.
bool IsToBeIsolated(const ScanOptions& options, const Candidate& candidate);

}  // namespace backplane::isolation
