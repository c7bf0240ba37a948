#include "placement/plan_groups.hpp"

#include "placement/transfer_errors.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace backplane {

namespace {

// For each member of a group, the backends' readers. A concat or split that is joined meets
// nothing.
using ReadersOfMembers = std::vector<std::vector<const GroupReader*>>;

ReadersOfMembers FindReadersThatRun(const ViewGroup& group) {
  ReadersOfMembers found(group.members.size());
  for (const GroupReader& reader : group.readers) {
    const bool is_joined = reader.kind != kNoKind;
    if (reader.backend != kOfApplication && !is_joined) found[reader.member].push_back(&reader);
  }
  return found;
}

// Layers of backends that may meet the tensor in this kind.
std::vector<LayerType> FindLayersBeside(const Graph& graph,
                                        const std::vector<std::uint32_t>& backend_of_layer,
                                        const KindTable& table,
                                        const std::vector<const GroupReader*>& readers,
                                        KindIndex kind, const LayerId* maker) {
  std::vector<LayerType> types;
  const auto add = [&](LayerId layer) {
    if (!IsRunByBackend(graph.layers[layer])) return;
    const auto& usable = table.usable[backend_of_layer[layer]];
    if (std::find(usable.begin(), usable.end(), kind) == usable.end()) return;
    const LayerType type = graph.layers[layer].type;
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  };
  if (maker != nullptr) add(*maker);
  for (const GroupReader* reader : readers) {
    for (const LayerId layer : reader->layers) add(layer);
  }
  return types;
}

GroupShape Describe(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                    const NetworkKinds& kinds, const ViewGroup& group) {
  GroupShape shape;
  const Layer& producer = graph.layers[group.members[0].slot.layer];
  shape.producer =
      producer.type == LayerType::kInput ? kOfApplication : backend_of_layer[producer.id];
  for (const GroupMember& member : group.members) {
    shape.source_of_member.push_back(member.source);
    shape.backend_of_member.push_back(backend_of_layer[member.view_layer]);
  }
  DescribeReaders(group, shape);
  DescribeRequirements(graph, backend_of_layer, kinds, group, shape);
  return shape;
}

// The readers that cannot be reached even alone; all of them when only together they cannot.
std::vector<std::size_t> FindUnreachable(const GroupShape& shape, GroupPlanner& planner) {
  std::vector<std::size_t> unreachable;
  for (std::size_t reader = 0; reader < shape.readers.size(); ++reader) {
    GroupShape alone = shape;
    alone.readers = {shape.readers[reader]};
    if (planner.Plan(alone) == nullptr) unreachable.push_back(reader);
  }
  if (!unreachable.empty()) return unreachable;
  unreachable.resize(shape.readers.size());
  std::iota(unreachable.begin(), unreachable.end(), std::size_t{0});
  return unreachable;
}

}  // namespace

void DescribeReaders(const ViewGroup& group, GroupShape& shape) {
  shape.readers.clear();
  for (const GroupReader& reader : group.readers) {
    shape.readers.push_back({reader.member, reader.backend, reader.kind});
  }
}

void DescribeRequirements(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                          const NetworkKinds& kinds, const ViewGroup& group, GroupShape& shape) {
  shape.requirements.clear();
  shape.is_dense.clear();
  const ReadersOfMembers readers = FindReadersThatRun(group);
  for (std::uint32_t member = 0; member < group.members.size(); ++member) {
    const TensorInfo& info = GetTensor(graph, group.members[member].slot);
    const bool is_made = member != 0 || shape.kind_of_root == kNoKind;
    const LayerId* maker = is_made ? &group.members[member].slot.layer : nullptr;
    for (KindIndex kind = 0; kind < kinds.table.kinds.size(); ++kind) {
      const MemoryRequirements needed = AskRequirements(
          kinds.objects, kind, info,
          FindLayersBeside(graph, backend_of_layer, kinds.table, readers[member], kind, maker));
      const bool is_dense =
          HasKnownLayout(kinds.table.kinds[kind]) && needed.size_bytes == info.GetSizeBytes();
      shape.requirements.push_back(needed);
      shape.is_dense.push_back(is_dense ? 1 : 0);
    }
  }
}

std::vector<PlannedGroup> PlanGroups(const Graph& graph, const ViewGroups& groups,
                                     const std::vector<std::uint32_t>& backend_of_layer,
                                     const NetworkKinds& kinds, GroupPlanner& planner,
                                     const std::vector<std::string>& backend_ids) {
  std::vector<PlannedGroup> planned(groups.groups.size());
  std::vector<Diagnostic> failures;
  for (std::size_t i = 0; i < groups.groups.size(); ++i) {
    const ViewGroup& group = groups.groups[i];
    if (group.is_constant) continue;
    planned[i].shape = Describe(graph, backend_of_layer, kinds, group);
    const GroupPlan* plan = planner.Plan(planned[i].shape);
    if (plan != nullptr) {
      planned[i].plan = *plan;
      continue;
    }
    for (const std::size_t reader : FindUnreachable(planned[i].shape, planner)) {
      failures.push_back(DescribeNoTransfer(graph, group, group.readers[reader],
                                            planned[i].shape.producer, kinds.table, backend_ids));
    }
  }
  ThrowNoTransfers(graph.name, std::move(failures));
  return planned;
}

}  // namespace backplane
