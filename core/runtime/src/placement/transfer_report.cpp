#include "placement/placement_report.hpp"

#include "placement/transfer_errors.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace backplane {

namespace {

bool HaveCommonKind(const std::vector<KindIndex>& a, const std::vector<KindIndex>& b) {
  return std::any_of(a.begin(), a.end(), [&](KindIndex kind) {
    return std::find(b.begin(), b.end(), kind) != b.end();
  });
}

class Reporter {
 public:
  Reporter(const PlacedGraph& placed, const BridgeRecord& record, const KindTable& table,
           const std::vector<std::string>& backend_ids, Placement& placement)
      : placed_(placed),
        record_(record),
        table_(table),
        backend_ids_(backend_ids),
        placement_(placement) {}

  void Report() {
    for (std::size_t group = 0; group < record_.groups.groups.size(); ++group) {
      if (record_.groups.groups[group].is_constant) continue;
      ReportGroup(record_.groups.groups[group], record_.planned[group]);
    }
    for (const PlacedTransfer& transfer : placement_.transfers) {
      placement_.copied_bytes += transfer.copied_bytes;
      placement_.num_copies += static_cast<std::uint64_t>(
          std::count_if(transfer.steps.begin(), transfer.steps.end(), [](const TransferStep& one) {
            return !one.is_shared && one.strategy != TransferStrategy::kImport;
          }));
    }
  }

 private:
  void ReportGroup(const ViewGroup& group, const PlannedGroup& planned) {
    done_.clear();
    FindTransfersTo(planned.plan);
    bool has_output = false;
    for (std::size_t reader = 0; reader < group.readers.size(); ++reader) {
      PlacedTransfer transfer = Describe(group, planned, reader, !has_output);
      const bool is_output = group.readers[reader].backend == kOfApplication;
      has_output = has_output || is_output;
      const bool crosses = group.readers[reader].backend != planned.shape.producer;
      if (crosses || is_output || !transfer.steps.empty()) {
        placement_.transfers.push_back(std::move(transfer));
      }
    }
    ReportRuns(group, planned);
  }

  PlacedTransfer Describe(const ViewGroup& group, const PlannedGroup& planned, std::size_t reader,
                          bool is_first_output) {
    const GroupReader& reads = group.readers[reader];
    const GroupPlace& place = planned.plan.of_reader[reader];
    const OutputSlot slot = group.members[reads.member].slot;
    const Layer& maker = placed_.graph.layers[slot.layer];
    PlacedTransfer transfer;
    const OutputSlot origin = GetOrigin(slot);
    transfer.from = origin.layer;
    transfer.output = origin.index;
    transfer.layer = GetDisplayName(maker.name, maker.id);
    transfer.tensor = DescribeTensor(GetTensor(placed_.graph, slot));
    transfer.from_backend = GetName(planned.shape.producer);
    transfer.to_backend = GetName(reads.backend);
    transfer.factory = table_.kinds[place.kind].id;
    const std::uint64_t bytes = GetTensor(placed_.graph, slot).GetSizeBytes();
    AddSteps(planned, place, bytes, transfer);
    if (reads.backend == kOfApplication) {
      const bool is_direct = is_first_output && !place.is_borrowed && IsImporter(place, planned);
      transfer.steps.push_back({is_direct ? TransferStrategy::kImport : TransferStrategy::kMapCopy,
                                table_.kinds[place.kind].id, "", "", is_direct ? 0 : bytes, false});
    }
    for (const TransferStep& step : transfer.steps) {
      if (!step.is_shared) transfer.copied_bytes += step.bytes;
    }
    const bool is_copied = std::any_of(transfer.steps.begin(), transfer.steps.end(),
                                       [](const TransferStep& one) { return one.bytes != 0; });
    if (is_copied) transfer.reason = Explain(planned, reads.backend);
    return transfer;
  }

  // For each place of the plan, the last step to it that moves or imports; null for none. Views and
  // layers that are run are passed over, because there can be very many.
  void FindTransfersTo(const GroupPlan& plan) {
    transfer_to_.clear();
    if (plan.steps.empty()) return;
    transfer_to_[plan.root] = nullptr;
    for (const GroupStep& step : plan.steps) {
      transfer_to_[step.to] =
          step.kind == GroupStepKind::kTransfer ? &step : transfer_to_.at(step.from);
    }
  }

  // Null: nothing moves or is imported on the way there.
  const GroupStep* FindTransferTo(const GroupPlace& place) const {
    const auto found = transfer_to_.find(place);
    return found != transfer_to_.end() ? found->second : nullptr;
  }

  // From the begin to the place; what an earlier reader needed too is shared.
  void AddSteps(const PlannedGroup& planned, const GroupPlace& place, std::uint64_t bytes,
                PlacedTransfer& transfer) {
    std::vector<const GroupStep*> steps;
    for (const GroupStep* step = FindTransferTo(place); step != nullptr;
         step = FindTransferTo(step->from)) {
      steps.push_back(step);
    }
    if (planned.shape.producer == kOfApplication) AddBegin(planned.plan.root, bytes, transfer);
    for (; !steps.empty(); steps.pop_back()) {
      const GroupStep& step = *steps.back();
      const bool is_import = step.strategy == TransferStrategy::kImport;
      transfer.steps.push_back({step.strategy, table_.kinds[step.from.kind].id,
                                table_.kinds[step.to.kind].id,
                                step.backend == kCoreBackend ? "" : backend_ids_[step.backend],
                                is_import ? 0 : bytes, !done_.insert(step.to).second});
    }
  }

  void AddBegin(const GroupPlace& place, std::uint64_t bytes, PlacedTransfer& transfer) {
    transfer.steps.push_back(
        {place.is_borrowed ? TransferStrategy::kImport : TransferStrategy::kMapCopy, "",
         table_.kinds[place.kind].id, "", place.is_borrowed ? 0 : bytes,
         !done_.insert(place).second});
  }

  bool IsImporter(const GroupPlace& place, const PlannedGroup& planned) const {
    constexpr MemorySourceFlags kGivenSources =
        ToFlags(MemorySource::kMalloc) | ToFlags(MemorySource::kDmaBufProtected);
    return (table_.kinds[place.kind].properties.import_sources & kGivenSources) != 0 &&
           planned.shape.is_dense[place.member * table_.kinds.size() + place.kind] != 0;
  }

  std::string Explain(const PlannedGroup& planned, std::uint32_t reader) const {
    const std::uint32_t producer = planned.shape.producer;
    if (producer == kOfApplication && reader == kOfApplication) {
      return "an input of the network is its output too";
    }
    if (producer == kOfApplication || reader == kOfApplication) {
      const std::uint32_t backend = producer == kOfApplication ? reader : producer;
      return "the memory of the application is not imported: backend \"" + backend_ids_[backend] +
             "\" has " + DescribeKinds(table_, table_.usable[backend]);
    }
    const auto& from = table_.usable[producer];
    const auto& to = table_.usable[reader];
    const std::string both = "\"" + backend_ids_[producer] + "\" has " +
                             DescribeKinds(table_, from) + "; \"" + backend_ids_[reader] +
                             "\" has " + DescribeKinds(table_, to);
    if (HaveCommonKind(from, to)) return "sharing it would cost more elsewhere: " + both;
    if (HaveCommonSource(from, to)) {
      return "not dense or not aligned as an import wants it, or an import would cost more "
             "elsewhere: " +
             both;
    }
    return "no kind in common, and none that the other imports: " + both;
  }

  bool HaveCommonSource(const std::vector<KindIndex>& from,
                        const std::vector<KindIndex>& to) const {
    return std::any_of(from.begin(), from.end(), [&](KindIndex a) {
      return std::any_of(to.begin(), to.end(), [&](KindIndex b) {
        return FindCommonSource(table_.kinds[a], table_.kinds[b]) != MemorySource::kUndefined;
      });
    });
  }

  void ReportRuns(const ViewGroup& group, const PlannedGroup& planned) {
    for (const GroupStep& step : planned.plan.steps) {
      if (step.kind != GroupStepKind::kRun) continue;
      const Layer& layer = placed_.graph.layers[group.members[step.to.member].view_layer];
      placement_.moves.push_back(
          {GetDisplayName(layer.name, layer.id), layer.type, backend_ids_[step.backend],
           layer.outputs[0].GetSizeBytes(),
           table_.kinds[step.from.kind].id +
               " shows no tensor under another shape: its layout is opaque, padded, or its handles "
               "allocate for themselves"});
    }
  }

  OutputSlot GetOrigin(OutputSlot slot) const {
    const auto& origins = placed_.layers[slot.layer].output_origins;
    return slot.index < origins.size() ? origins[slot.index] : OutputSlot{kNoOrigin, 0};
  }
  std::string GetName(std::uint32_t backend) const {
    return backend == kOfApplication ? std::string() : backend_ids_[backend];
  }

  const PlacedGraph& placed_;
  const BridgeRecord& record_;
  const KindTable& table_;
  const std::vector<std::string>& backend_ids_;
  Placement& placement_;
  std::set<GroupPlace> done_;                           // of the group
  std::map<GroupPlace, const GroupStep*> transfer_to_;  // of the group
};

}  // namespace

void ReportTransfers(const PlacedGraph& placed, const BridgeRecord& record, const KindTable& table,
                     const std::vector<std::string>& backend_ids, Placement& placement) {
  Reporter(placed, record, table, backend_ids, placement).Report();
}

}  // namespace backplane
