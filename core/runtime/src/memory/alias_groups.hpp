#pragma once

#include "graph/bridged_network.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Why a tensor lies where it does.
enum class AliasKind : std::uint8_t {
  kOwner,     // the group's memory was planned for it
  kView,      // the bytes of its source under another shape; nobody computes it
  kInPlace,   // overwrites its source, which nobody reads afterwards
  kPart,      // lies inside of its source
  kImported,  // the memory of its source, imported by another kind
};

/// One tensor, and in whose memory it lies.
struct AliasedTensor {
  std::uint32_t group = 0;
  std::uint32_t source = 0;  // the tensor whose memory it takes; the owner's own
  AliasKind kind = AliasKind::kOwner;
  std::uint64_t offset_bytes = 0;  // from the begin of the group's memory
};

/// Which tensors of a network share their memory. Tensors are numbered as by TensorNumbers, groups
/// by their owners in the order of those.
struct AliasGroups {
  std::vector<AliasedTensor> tensors;
  std::vector<std::uint32_t> owners;  // for each group, its owner
};

/// Calls `visit` with each tensor once, after its source, however long the chains are.
template <typename Visit>
void VisitSourcesFirst(const std::vector<AliasedTensor>& tensors, const Visit& visit) {
  std::vector<std::uint8_t> is_reached(tensors.size());
  std::vector<std::uint32_t> chain;
  for (std::uint32_t tensor = 0; tensor < tensors.size(); ++tensor) {
    for (std::uint32_t at = tensor; is_reached[at] == 0; at = tensors[at].source) {
      is_reached[at] = 1;
      chain.push_back(at);
    }
    for (; !chain.empty(); chain.pop_back()) visit(chain.back());
  }
}

/// Whether a layer may write its output where an input lies, as far as its backend goes.
enum class InPlaceUse : std::uint8_t { kForbidden, kAllowed };

/// Finds what shares memory: views, parts and imports always; in place what the operator and
/// `in_place` (for each layer) allow, the first input that is suitable. An input is suitable when
/// it has the shape, the data type and the kind of memory of the output, nothing reads it or what
/// lies with it afterwards or beside it in the same layer, no other kind imports it, it is no part
/// of another tensor, and it is neither an output of the network nor lies with a constant or an
/// input of the network: those may lie in memory of the application.
AliasGroups FindAliasGroups(const BridgedNetwork& network, const std::vector<InPlaceUse>& in_place);

}  // namespace backplane
