#pragma once

#include <backplane/api/subgraph_view.hpp>

#include <map>
#include <optional>
#include <utility>

namespace backplane {

/// Where the tensors of layers that go are to be found afterwards.
class ReplacedSlots {
 public:
  /// Takes over the substitutions and deletions of an answer; their numbers of slots match. Before
  /// anything is resolved.
  void Add(const OptimizationViews& views);

  /// The slot that stands for one of the graph.
  /// Null: deletions lead back to where they began.
  std::optional<OutputSlot> Resolve(OutputSlot slot) const;

 private:
  mutable std::map<std::pair<LayerId, std::uint32_t>, OutputSlot> replaced_;
};

}  // namespace backplane
