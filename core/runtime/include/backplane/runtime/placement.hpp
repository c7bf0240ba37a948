#pragma once

/// The plan of an optimised network as data: who runs what, and who refused and why.

#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/runtime/export.hpp>

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

struct Placement {
  std::string network;
  std::vector<std::string> preferences;  // as given; empty: every backend by rank
  std::vector<LayerPlacement> layers;    // operators, in the order in which they run
};

/// As a table for people, one line for each layer.
BACKPLANE_RUNTIME_API std::string ToText(const Placement& placement);

/// As a JSON array of {"layer","type","backend","refusals":[{"backend","reason"}]}.
BACKPLANE_RUNTIME_API std::string ToJson(const Placement& placement);

}  // namespace backplane
