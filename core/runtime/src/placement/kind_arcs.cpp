#include "placement/kind_arcs.hpp"

namespace backplane {

namespace {

bool CopiesWithin(const TensorKind& from, const TensorKind& to) {
  return from.owner != kCoreBackend && from.owner == to.owner &&
         from.properties.copies_within_backend != 0 && to.properties.copies_within_backend != 0;
}

bool FindDeviceCopy(const TensorKind& from, const TensorKind& to, std::uint32_t& backend) {
  if ((to.properties.copy_from_sources & GetReach(from)) != 0 || CopiesWithin(from, to)) {
    backend = to.owner;
    return true;
  }
  backend = from.owner;
  return (from.properties.copy_to_sources & GetReach(to)) != 0;
}

}  // namespace

TransferCost GetCost(TransferStrategy strategy) {
  switch (strategy) {
    case TransferStrategy::kImport:
      return {0, 0, 1};
    case TransferStrategy::kDeviceCopy:
      return {1, 0, 2};
    case TransferStrategy::kMapCopy:
      break;
  }
  return {1, 0, 3};
}

// The lowest bit.
MemorySource GetFirstSource(MemorySourceFlags sources) {
  return static_cast<MemorySource>(sources & (~sources + 1));
}

MemorySource FindCommonSource(const TensorKind& from, const TensorKind& to) {
  return GetFirstSource(from.properties.export_sources & to.properties.import_sources);
}

std::vector<KindArc> FindKindArcs(const KindTable& table) {
  std::vector<KindArc> arcs;
  for (KindIndex from = 0; from < table.kinds.size(); ++from) {
    for (KindIndex to = 0; to < table.kinds.size(); ++to) {
      if (from == to) continue;
      const TensorKind& source = table.kinds[from];
      const TensorKind& target = table.kinds[to];
      std::uint32_t backend = kCoreBackend;
      if (FindCommonSource(source, target) != MemorySource::kUndefined) {
        arcs.push_back({from, to, TransferStrategy::kImport, kCoreBackend});
      }
      if (FindDeviceCopy(source, target, backend)) {
        arcs.push_back({from, to, TransferStrategy::kDeviceCopy, backend});
      } else if (IsMappable(source) && IsMappable(target)) {
        arcs.push_back({from, to, TransferStrategy::kMapCopy, kCoreBackend});
      }
    }
  }
  return arcs;
}

}  // namespace backplane
