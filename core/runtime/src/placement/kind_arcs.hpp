#pragma once

#include "placement/kind_table.hpp"
#include "placement/transfer_tree.hpp"

#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// A way for a tensor from one kind of memory to another.
struct KindArc {
  KindIndex from = 0;
  KindIndex to = 0;
  TransferStrategy strategy = TransferStrategy::kMapCopy;
  std::uint32_t backend = kCoreBackend;  // whose workload copies
};

/// What a way costs: an import moves nothing; among copies a device's is better.
TransferCost GetCost(TransferStrategy strategy);

/// The ways between the kinds of a table; between two kinds the import if there is one, and the
/// best copy if there is one. A device copy is made by the owner of the memory that the other side
/// cannot reach by itself; when both can make it, by the one that reads.
std::vector<KindArc> FindKindArcs(const KindTable& table);

/// The first of several sources; kUndefined for none.
MemorySource GetFirstSource(MemorySourceFlags sources);

/// The source as which `from` exports what `to` imports; kUndefined when there is none.
MemorySource FindCommonSource(const TensorKind& from, const TensorKind& to);

}  // namespace backplane
