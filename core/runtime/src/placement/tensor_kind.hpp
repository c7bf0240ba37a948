#pragma once

#include "graph/bridged_network.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <cstdint>
#include <string>

namespace backplane {

/// Stands for "not in an arena": tensors whose handles allocate for themselves.
constexpr std::uint32_t kNoArena = 0xffffffffU;

/// One kind of tensor memory: what the tensors of a factory can do.
struct TensorKind {
  std::string id;
  std::uint32_t owner = kCoreBackend;  // index of the backend in its network
  TensorHandleFactoryProperties properties;
  std::uint32_t arena = 0;  // the block in which its tensors lie: 0 is that of the core
};

/// Whether elements of tensors can be found with a MemoryView.
inline bool HasKnownLayout(const TensorKind& kind) {
  return kind.properties.layout == TensorLayout::kKnown;
}

inline bool IsMappable(const TensorKind& kind) {
  return kind.properties.supports_map_unmap != 0;
}

/// Whether the core says where its tensors lie.
inline bool IsBound(const TensorKind& kind) {
  return kind.properties.owns_memory == 0;
}

/// The sources as which another backend can reach a tensor's memory.
inline MemorySourceFlags GetReach(const TensorKind& kind) {
  const MemorySourceFlags mapped = IsMappable(kind) ? ToFlags(MemorySource::kMalloc) : 0;
  return kind.properties.export_sources | mapped;
}

}  // namespace backplane
