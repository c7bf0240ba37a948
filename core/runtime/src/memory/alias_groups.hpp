#pragma once

#include "network/graph.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Why a tensor lies where it does.
enum class AliasKind : std::uint8_t {
  kOwner,    // the first of its group: the group's memory was planned for it
  kView,     // the bytes of its source under another shape; nobody computes it
  kInPlace,  // overwrites its source, which nobody reads afterwards
};

/// One tensor, and in whose memory it lies.
struct AliasedTensor {
  std::uint32_t group = 0;
  std::uint32_t source = 0;  // the tensor whose memory it takes, earlier in order; the owner's own
  AliasKind kind = AliasKind::kOwner;
};

/// Which tensors of a graph share their memory. Everything in a group has the size of its owner.
/// Tensors are numbered as by TensorNumbers, groups by their owners in the order of those.
struct AliasGroups {
  std::vector<AliasedTensor> tensors;
  std::vector<std::uint32_t> owners;  // for each group, its owner
};

/// Whether a layer may write its output where an input lies, as far as its backend goes.
enum class InPlaceUse : std::uint8_t { kForbidden, kAllowed };

/// Finds what can share memory: views always; in place what the operator and `in_place` (for each
/// layer of the graph) allow, the first input that is suitable. An input is suitable when it has
/// the shape and the data type of the output, nothing reads it or a view of it afterwards or beside
/// it in the same layer, and it is neither an output of the network nor the view of a constant or
/// of an input of the network: those may lie in memory of the application.
AliasGroups FindAliasGroups(const Graph& graph, const std::vector<InPlaceUse>& in_place);

/// Whether a layer is a step of a run: a backend runs it, and its output is no view.
bool IsStep(const Layer& layer);

}  // namespace backplane
