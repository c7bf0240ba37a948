// Layers: which the backend supports, what it compiles, and the workloads that run them.
#include "serving/served_backend.hpp"

#include "serving/asking.hpp"
#include "wire/lane.hpp"

#include <algorithm>

namespace backplane::serving {
namespace {

std::vector<const char*> PointToTexts(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

}  // namespace

/// The layers of an offered sub-graph.
class ServedBackend::Subgraph final : public ISubgraphReader {
 public:
  /// `layer` stays. Errors: as FindConstants; std::runtime_error when it is not whole.
  void Add(const ServedBackend& served, const LayerRecord& layer) {
    if (layer.slots.size() != layer.inputs.size() ||
        layer.constants.size() != layer.inputs.size()) {
      throw std::runtime_error("the host offered a sub-graph that is not whole");
    }
    Entry& entry = layers_[layer.id];
    entry.constants = served.FindConstants(layer.constants);
    entry.view = layer.Show();
    entry.view.constants = entry.constants.pointers.data();
  }

  Status GetLayer(LayerId id, const LayerView** layer) const override {
    const auto found = layers_.find(id);
    *layer = found == layers_.end() ? nullptr : &found->second.view;
    return *layer != nullptr ? Status::kSuccess : Status::kNotFound;
  }

  Status ShareConstant(LayerId layer, std::uint32_t input,
                       std::shared_ptr<const void>* content) const override {
    if (content == nullptr) return Status::kInvalidArgument;
    const auto found = layers_.find(layer);
    if (found == layers_.end()) return Status::kNotFound;
    const Constants& constants = found->second.constants;
    if (input >= constants.pointers.size() || constants.pointers[input] == nullptr) {
      return Status::kInvalidArgument;
    }
    *content = constants.contents[input];
    return Status::kSuccess;
  }

  void Release(LayerId layer, std::uint32_t input) {
    layers_.at(layer).constants.contents.at(input).reset();
  }

 private:
  struct Entry {
    Constants constants;
    LayerView view;
  };
  std::map<LayerId, Entry> layers_;
};

ServedBackend::Constants ServedBackend::FindConstants(
    const std::vector<std::optional<ConstantPlace>>& places) const {
  Constants constants;
  constants.contents.resize(places.size());
  constants.tensors.resize(places.size());
  constants.pointers.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    const ConstantPlace& place = *places[i];
    const std::uint64_t size_bytes = place.info.GetSizeBytes();
    constants.contents[i] = areas_.Find(place.area, place.offset_bytes, size_bytes);
    if (constants.contents[i] == nullptr && size_bytes != 0) {
      throw std::runtime_error("the host names a constant that is not there");
    }
    constants.tensors[i] = {
        place.info, constants.contents[i].get(), {place.identity[0], place.identity[1]}};
    constants.pointers[i] = &constants.tensors[i];
  }
  return constants;
}

bool ServedBackend::GetLayerSupport(std::uint64_t id, const CallParts& parts) {
  LayerSupportArgs args;
  args.context = parts.context;
  args.model_context = parts.model_context;
  return Keep(id, backend_.GetLayerSupport(args));
}

wire::Writer ServedBackend::IsLayerSupported(Support& support, const LayerRecord& layer,
                                             const std::vector<std::uint8_t>& is_constant) {
  if (is_constant.size() != layer.inputs.size()) {
    throw std::runtime_error("the host asked about a layer that is not whole");
  }
  auto query = MakeLayerArgs<LayerSupportQuery>(layer.Show());
  query.input_is_constant = is_constant.data();
  std::string reason;
  const bool is_supported = support->IsLayerSupported(query, reason);
  return Writer().Put(is_supported, reason);
}

OptimizationViews ServedBackend::OptimizeSubgraph(std::uint64_t next_id, bool has_cache,
                                                  bool is_open, std::uint64_t deadline_ns,
                                                  const CallParts& parts, const SubgraphView& view,
                                                  const std::vector<LayerRecord>& layers) {
  Subgraph reader;
  for (const LayerRecord& layer : layers) reader.Add(*this, layer);
  const auto release = [&](LayerId layer, std::uint32_t input, std::uint64_t area) {
    reader.Release(layer, input);
    areas_.Drop(area);
  };
  AskingBuilder builder(line_, objects_, next_id, release);
  AskingCache cache(line_);
  auto args = MakeArgs<OptimizeSubgraphArgs>(parts);
  args.subgraph = &view;
  args.reader = &reader;
  args.builder = &builder;
  args.cache = has_cache ? &cache : nullptr;
  args.is_open = is_open;
  args.deadline_ns = deadline_ns;
  return backend_.OptimizeSubgraphView(args);
}

bool ServedBackend::ResizeCompiled(std::uint64_t id, Compiled& compiled, const CallParts& parts,
                                   const std::vector<ExtentChange>& changes,
                                   const std::vector<OutputSlot>& readers,
                                   const std::vector<std::optional<ConstantPlace>>& places,
                                   std::uint64_t deadline_ns) {
  const Constants constants = FindConstants(places);
  const auto& tensors = constants.pointers;
  if (tensors.size() != readers.size() || std::count(tensors.begin(), tensors.end(), nullptr) > 0) {
    throw std::runtime_error("the host names a constant that is not there");
  }
  auto args = MakeArgs<ResizeArgs>(parts);
  args.num_changes = static_cast<std::uint32_t>(changes.size());
  args.changes = changes.data();
  args.readers = readers.data();
  args.constants = tensors.data();
  args.num_constants = static_cast<std::uint32_t>(readers.size());
  args.deadline_ns = deadline_ns;
  return Keep(id, compiled->Resize(args));
}

bool ServedBackend::CreateWorkload(std::uint64_t id, Factory& factory, Compiled pre_compiled,
                                   const LayerRecord& layer,
                                   const std::vector<std::string>& input_factories,
                                   const std::vector<std::string>& output_factories) {
  if (layer.constants.size() != layer.inputs.size() ||
      input_factories.size() != layer.inputs.size() ||
      output_factories.size() != layer.outputs.size()) {
    throw std::runtime_error("the host wants a workload of a layer that is not whole");
  }
  const Constants constants = FindConstants(layer.constants);
  const auto inputs_of = PointToTexts(input_factories);
  const auto outputs_of = PointToTexts(output_factories);
  auto args = MakeLayerArgs<WorkloadArgs>(layer.Show());
  args.constants = constants.pointers.data();
  args.pre_compiled = std::move(pre_compiled);
  args.input_factories = inputs_of.data();
  args.output_factories = outputs_of.data();
  return Keep(id, std::shared_ptr<const IWorkload>(factory->CreateWorkload(args)));
}

void ServedBackend::CreateLane(std::uint64_t id, Factory& factory, std::uint64_t area,
                               const std::vector<LaneWorkload>& workloads) {
  constexpr std::size_t kMostOperands = std::size_t{1} << 24U;
  std::size_t num_operands = 0;
  for (const LaneWorkload& workload : workloads) {
    num_operands += std::size_t{workload.num_inputs} + workload.num_outputs;
    if (num_operands > kMostOperands) throw std::runtime_error("the host's lane is too large");
  }
  const LaneSources sources{areas_.Find(area, 0, wire::GetLaneBytes(num_operands)), areas_,
                            notices_, objects_};
  if (!sources.memory) throw std::runtime_error("the host's lane is too small");
  auto* const lane = reinterpret_cast<wire::LaneHeader*>(sources.memory.get());
  objects_.Keep(
      id, std::make_unique<LaneRunner>(lane, workloads, factory->CreateExecutionState(), sources));
}

}  // namespace backplane::serving
