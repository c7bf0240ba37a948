// Which backends run in processes of their own, and in which sandbox.
#pragma once

#include "probing/probe_request.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <string>

namespace backplane::isolation {

/// Whether there is any rule; only then backends have to be looked at elsewhere first.
bool HasRules(const ScanOptions& options);

/// Whether the rules isolate a backend. The application's rules come after those of drop-in files
/// and win; rules about sandboxes are the operator's alone.
bool IsIsolated(const ScanOptions& options, const std::string& id, const std::string& path);

/// The sandbox in which code of a backend may run.
/// Null: of the `identity` nothing is known, and any rule may mean it; it has no permissions then.
probing::SandboxPlan PlanSandbox(const ScanOptions& options, const BackendIdentity* identity,
                                 const std::string& path);

/// Whether the application or the operator refuses what the manifest of a backend asks for.
bool ArePermissionsRefused(const ScanOptions& options, const std::string& id,
                           const std::string& path);

/// The same, of a file that has passed in a process of its own; no other is isolated.
bool IsToBeIsolated(const ScanOptions& options, const Candidate& candidate);

}  // namespace backplane::isolation
