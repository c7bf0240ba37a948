#pragma once

#include "graph/bridged_network.hpp"
#include "placement/kind_table.hpp"

#include <backplane/runtime/placement.hpp>

#include <string>
#include <vector>

namespace backplane {

/// Lets the inputs of concats lie in their outputs, and the outputs of splits in their inputs,
/// where every condition holds; those layers are not run. All parts of a layer or none:
/// - the whole and the parts are in one kind of memory, of known layout and without padding;
/// - a part of a concat is made by a layer that is run, or is the output of another such concat; it
///   lies in no other tensor, and is given once;
/// - the source of a split is not in memory of another kind;
/// - no part is an output of the network, or imported by another kind, and neither is a view of it;
/// - the part is contiguous, and its place is aligned for it and all that lies in it; or its
/// factory makes sub-tensors, only its own backend and
///   the core meet the part, and the factory makes a handle for it.
/// Returns the others, with the condition that does not hold.
/// Errors: DiagnosticException with kBackendThrew.
std::vector<PlacedMove> JoinParts(BridgedNetwork& network, const NetworkKinds& kinds,
                                  const std::vector<std::string>& backend_ids);

}  // namespace backplane
