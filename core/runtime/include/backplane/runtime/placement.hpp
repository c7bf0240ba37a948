#pragma once

/// The plan of an optimised network as data: who runs what, and who refused and why.

#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// Why a backend did not get a layer.
struct LayerRefusal {
  std::string backend_id;
  std::string reason;
};

struct LayerPlacement {
  LayerId layer = 0;
  std::string name;
  LayerType type = LayerType::kUndefined;
  std::string backend_id;
  std::string hint;                    // the backend asked for, or ""
  std::vector<LayerRefusal> refusals;  // in the order in which they were asked
};

/// What a backend made of a part of a network that it was offered.
enum class SubgraphOutcome {
  kUntouched,  // its layers run as they are
  kReplaced,   // other layers of the backend run in its place
  kDeleted,    // nothing needs to run
  kFailed,     // the backend cannot run these layers after all; others have them now
};

/// A part of a network that was offered to its backend.
struct PlacedSubgraph {
  std::string backend_id;
  std::uint32_t turn = 0;  // from 1; the next turn is for layers that failed in this one
  SubgraphOutcome outcome = SubgraphOutcome::kUntouched;
  std::vector<LayerId> layers;            // of the network
  std::vector<std::string> replacements;  // the names of the layers that run in its place
};

struct Placement {
  std::string network;
  std::vector<std::string> preferences;   // as given; empty: every backend by rank
  std::vector<LayerPlacement> layers;     // operators, in the order of the network
  std::vector<PlacedSubgraph> subgraphs;  // in the order in which they were offered
  /// Answers of backends that could not be used, and what they threw when they were offered
  /// sub-graphs: kInvalidOptimization and kBackendThrew. The network runs all the same.
  std::vector<Diagnostic> warnings;
};

/// As a table for people, one line for each layer.
BACKPLANE_RUNTIME_API std::string ToText(const Placement& placement);

/// As a JSON array of {"layer","type","backend","refusals":[{"backend","reason"}]}.
BACKPLANE_RUNTIME_API std::string ToJson(const Placement& placement);

}  // namespace backplane
