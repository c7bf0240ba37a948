#pragma once

#include "placement/network_backend.hpp"
#include "placement/tensor_kind.hpp"

#include <backplane/host/contexts.hpp>
#include <backplane/host/factory_collector.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// The kinds of tensor memory that the backends of one network offer, and which of them each can
/// use.
struct KindTable {
  std::vector<TensorKind> kinds;  // the core's own first, then by backend and registration
  /// For each backend: the kinds that it can use, best first. Never empty.
  std::vector<std::vector<KindIndex>> usable;
  std::uint32_t num_arenas = 1;
};

/// The objects behind a KindTable.
struct KindObjects {
  std::vector<RegisteredMemory> registered;  // for each backend
  /// For each kind, its factory; null for the core's own. Borrowed from `registered`.
  std::vector<const PluginObject<ITensorHandleFactory>*> factories;
  /// For each arena, its memory manager; null for the core's own.
  std::vector<const PluginObject<IMemoryManager>*> memory_managers;
};

struct NetworkKinds {
  KindTable table;
  KindObjects objects;
};

/// Has each backend register its factories and say what it prefers. Preferences that nobody
/// registered are passed over, and those that the backend has registered in vain, as another one
/// has the id; a backend without any that is left uses the core's own kind. In protected mode,
/// kinds that are open to the CPU are passed over, and the core's own is not: no backend uses them,
/// and nothing is copied or imported there on its way.
/// `warnings` gets what was refused: kInvalidTensorHandleFactory.
/// Errors: DiagnosticException with kBackendThrew.
NetworkKinds CollectKinds(const std::vector<std::shared_ptr<const NetworkBackend>>& backends,
                          MemoryProtection protection, std::vector<Diagnostic>& warnings);

/// The kind of the core: dense tensors in memory of the host, or in protected memory.
TensorKind MakeHostKind(MemoryProtection protection);

/// Bytes and alignment of a tensor, as large as the layers beside it want them. The alignment is at
/// least that of an element, and the size that of its elements.
/// Errors: DiagnosticException with kBackendThrew; kFactoryDisagrees for an alignment that is no
/// power of two.
MemoryRequirements AskRequirements(const KindObjects& objects, KindIndex kind,
                                   const TensorInfo& info,
                                   const std::vector<LayerType>& layers_beside);

}  // namespace backplane
