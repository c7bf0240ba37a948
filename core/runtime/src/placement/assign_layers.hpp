#pragma once

#include "graph/graph.hpp"
#include "placement/layer_answer.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace backplane {

/// Backends that are offered no sub-graphs, each with the warning that says why.
using LayerByLayer = std::map<std::string, Diagnostic>;

/// Who is asked, in which order.
struct AssignmentOrder {
  std::vector<std::string> backend_ids;  // for every layer, without duplicates
  std::set<std::string> whole_only;      // take a network as a whole or not at all; known of each
                                         // at the latest when it has said yes
  std::map<std::string, std::string> excluded = {};  // get nothing, with the reason
  LayerByLayer layer_by_layer = {};
};

/// How a backend is asked. The same question has the same answer.
using AskBackend = std::function<LayerAnswer(const std::string& backend_id, const Layer& layer)>;

/// Gives each operator to its hint, when it has one that says yes, else to the first backend that
/// does. The backend id is empty where nobody does. A backend that takes only whole networks and
/// would get a part gets nothing, and the rest is asked again without it.
std::vector<LayerPlacement> AssignLayers(const Graph& graph, const AssignmentOrder& order,
                                         const AskBackend& ask);

/// Takes a layer from its backend, for `reason`, and gives it to the next one in the order that has
/// not refused it and says yes; one that takes only whole networks does not get it. The backend id
/// is empty when there is none.
void ReassignLayer(const Layer& layer, const AssignmentOrder& order, const AskBackend& ask,
                   const std::string& reason, LayerPlacement& placement);

}  // namespace backplane
