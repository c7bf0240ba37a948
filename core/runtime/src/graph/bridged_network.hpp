#pragma once

#include "graph/graph.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// One kind of tensor memory, known by its index in a KindTable.
using KindIndex = std::uint32_t;

/// The core's own kind; the first of every table.
constexpr KindIndex kHostKind = 0;

/// Stands for "none": of constants, which lie where the application put them.
constexpr KindIndex kNoKind = 0xffffffffU;

/// Stands for the core among the backends of a network.
constexpr std::uint32_t kCoreBackend = 0xffffffffU;

/// What becomes of a layer in a run.
enum class LayerRole : std::uint8_t {
  kEndpoint,  // an input, an output or a constant
  kStep,      // it is run, by a backend or by the core
  kView,      // nothing: its output is its input under another shape
  kParts,     // nothing: a concat whose inputs lie in its output, or a split
};

/// Stands for a tensor that is no part of another.
constexpr std::uint32_t kNoPart = 0xffffffffU;

/// Where a tensor lies inside of another one. Tensors are numbered as by TensorNumbers.
struct TensorPart {
  std::uint32_t tensor = 0;
  std::uint32_t parent = 0;
  std::vector<std::int64_t> origin;  // one index for each axis of the parent
  std::uint64_t offset_bytes = 0;    // of its first element
  bool is_sub_tensor = false;        // its handle is made from the parent's; else it is contiguous
};

/// A graph in which every tensor has one kind of memory, and every layer reads it where its backend
/// can: Copy and Import layers lead from one kind to another.
struct BridgedNetwork {
  Graph graph;
  std::vector<std::uint32_t> backend_of_layer;   // by layer id; kCoreBackend for the core
  std::vector<LayerRole> roles;                  // by layer id
  std::vector<KindIndex> kind_of_tensor;         // kNoKind for constants and their views
  std::vector<MemoryRequirements> requirements;  // of each tensor in its kind
  std::vector<TensorPart> parts;
  std::vector<std::uint32_t> part_of_tensor;  // index in `parts`, or kNoPart
};

/// Where a tensor lies whose handle is made from that of its parent. Null: it is no sub-tensor.
inline const TensorPart* FindSubTensor(const BridgedNetwork& network, std::uint32_t tensor) {
  const std::uint32_t part = network.part_of_tensor[tensor];
  return part != kNoPart && network.parts[part].is_sub_tensor ? &network.parts[part] : nullptr;
}

}  // namespace backplane
