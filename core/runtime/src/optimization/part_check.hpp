#pragma once

#include "network/graph.hpp"
#include "optimization/subgraph_borders.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <set>
#include <string>
#include <vector>

namespace backplane {

/// Checks the substitutions and deletions of one answer, whose layers are known to be those of the
/// sub-graph.
class PartCheck {
 public:
  /// Borrows all; adds to `problems`.
  PartCheck(const Graph& graph, const SubgraphBorders& borders, const std::vector<Layer>& added,
            std::vector<std::string>& problems)
      : graph_(graph), borders_(borders), added_(added), problems_(problems) {}

  void CheckSubstitution(const SubgraphSubstitution& substitution);
  void CheckDeleted(const SubgraphView& part);

 private:
  bool CheckBorder(const SubgraphView& part, const std::string& name);
  void CheckReplacementLayers(const SubgraphView& replacement, const std::string& name);
  void CheckReplacementOutputs(const SubgraphSubstitution& substitution, const std::string& name);
  std::string DescribeSlots(const std::vector<OutputSlot>& slots) const;
  bool IsAdded(LayerId id) const;
  bool IsConstant(LayerId id) const;
  const Layer& GetLayer(LayerId id) const;
  const TensorInfo* FindTensor(OutputSlot slot) const;

  const Graph& graph_;
  const SubgraphBorders& borders_;
  const std::vector<Layer>& added_;
  std::vector<std::string>& problems_;
  std::set<LayerId> used_;  // replacement layers of earlier substitutions
};

}  // namespace backplane
