#pragma once

#include "graph/graph.hpp"
#include "placement/kind_table.hpp"

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace backplane {

/// What the test of random networks lets a kind ask: an alignment, and padding beside one type of
/// layer (kUndefined: beside all).
struct KindWish {
  std::uint64_t alignment_bytes = 1;
  std::uint64_t padding_bytes = 0;
  LayerType padded_beside = LayerType::kUndefined;
};

/// What is counted for one tensor with its views. The cheapest plan has the fewest moves, and of
/// those the least preference.
struct MoveCount {
  std::uint32_t moves = 0;
  std::uint32_t preference = 0;
};

inline bool operator<(const MoveCount& a, const MoveCount& b) {
  return a.moves != b.moves ? a.moves < b.moves : a.preference < b.preference;
}
inline bool operator==(const MoveCount& a, const MoveCount& b) {
  return a.moves == b.moves && a.preference == b.preference;
}

inline std::ostream& operator<<(std::ostream& stream, const MoveCount& count) {
  return stream << "{" << count.moves << " moves, preference " << count.preference << "}";
}

/// A network placed on backends, as both the search and the count see it.
struct PlacedCase {
  const Graph& graph;
  const std::vector<std::uint32_t>& backend_of_layer;
  const KindTable& table;
  const std::vector<KindWish>& wishes;  // of each kind
  /// From here on, backends read only what is in memory of a kind's own.
  std::uint32_t first_owning_backend = kCoreBackend;
};

/// Bytes that a tensor asks of a kind, beside the layers that can meet it there.
std::uint64_t GetWantedBytes(const PlacedCase& one, OutputSlot slot, KindIndex kind);

/// The least count for the tensor of a layer that is no view, together with its views, found by
/// trying ever more moves.
///
/// It lies first in one kind: that its maker prefers, its place in the list counted; of an input,
/// any kind that imports the application's memory, or for one move any that can be mapped. Where
/// it lies, it costs nothing to import what a kind exports, while dense on both sides, and to see
/// the bytes under the shape of a view, or back, while both are dense. What was imported is not in
/// memory of its own. One move copies it to memory of its own in another kind, or has the backend
/// of a view run it. Every backend that reads the tensor, or a view, takes a kind that it prefers,
/// its place in the list counted once. An output of the application costs one move and can be
/// mapped; the first output of the tensor costs none where it lies dense, in memory of its own, in
/// a kind that imports the application's.
///
/// The core aligns all memory but that which handles allocate for themselves: who imports that, or
/// sees it under another shape, wants no larger alignment than where it comes from. Views of such
/// handles show only what was imported, and never what may be the application's.
/// Null: some reader can never get it.
std::optional<MoveCount> FindLeastMoves(const PlacedCase& one, OutputSlot owner);

}  // namespace backplane
