#pragma once

#include "placement/kind_table.hpp"
#include "placement/view_groups.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Why a reader cannot get a tensor: both backends, what kinds of memory each has and what those
/// can do, and what is missing. kNoTransfer.
Diagnostic DescribeNoTransfer(const Graph& graph, const ViewGroup& group, const GroupReader& reader,
                              std::uint32_t producer, const KindTable& table,
                              const std::vector<std::string>& backend_ids);

/// Errors: DiagnosticException with the failure, or one that has all of them as causes; returns
/// when there are none.
void ThrowNoTransfers(const std::string& network, std::vector<Diagnostic> failures);

/// Errors: DiagnosticException with kTooManyBytesCopied, when a plan copies more than allowed.
void RequireFewBytesCopied(const Placement& placement, std::optional<std::uint64_t> most_bytes);

/// "Vendor/Backend/Fast (opaque; no map, no import, no export)", ...; for messages.
std::string DescribeKinds(const KindTable& table, const std::vector<KindIndex>& kinds);

}  // namespace backplane
