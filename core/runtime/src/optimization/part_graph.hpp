#pragma once

#include "network/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {

/// The layers of a graph that are run, gathered into parts. Starts with a part for each layer;
/// merging never makes a cycle between parts. Keeps the parts in an order in which they can run,
/// and mends that order locally with each merge.
class PartGraph {
 public:
  using Part = std::uint32_t;

  /// Borrows the graph.
  explicit PartGraph(const Graph& graph);

  /// Merges the part of a layer with that of one of its readers, unless they are one already, or
  /// the merged part would need its own result.
  void TryMerge(LayerId producer, LayerId reader);

  /// The layers of each part, in rising order; the parts in an order in which they can run.
  std::vector<std::vector<LayerId>> GetParts();

 private:
  using Parts = std::vector<Part>;
  using Edges = std::vector<LayerId>;  // the layers at the other end

  Part FindRoot(Part part);
  /// Drops the edges that now lie inside the part.
  void DropInnerEdges(Part part, Edges& edges);
  /// Parts between two positions from which `to` is reached. False when `from` is one of them,
  /// which is left out, or when the search became too long.
  bool CollectBefore(Part from, Part to, Parts& found);
  void CollectBehind(Part from, std::uint32_t end, Parts& found);
  void Merge(Part from, Part to, const Parts& before);
  bool Mark(Part part);
  bool IsTooLong() const { return num_visits_ > max_visits_; }

  const Graph& graph_;
  std::vector<Part> parent_;             // by layer; of the parts merged into others
  std::vector<std::uint32_t> position_;  // of parts
  std::vector<Edges> producers_;         // of the layers of a part
  std::vector<Edges> readers_;           // of the layers of a part
  std::vector<std::uint32_t> mark_;
  std::uint32_t current_mark_ = 0;
  std::size_t num_visits_ = 0;
  std::size_t max_visits_;
};

}  // namespace backplane
