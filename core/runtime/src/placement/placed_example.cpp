#include "placement/placed_example.hpp"

#include "graph/layer_tensors.hpp"
#include "placement/placed_tensors.hpp"

#include <backplane/api/descriptor_extents.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/thread_places.hpp>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

namespace backplane {
namespace {

/// How many examples of one network are kept, of all its stages.
constexpr std::size_t kMostExamples = 16;
/// Constants that follow from extents, such as masks, are not as large as weights are.
constexpr std::uint64_t kMostConstantBytes = 1U << 24U;
/// Backends choose by size. A choice holds for sizes that are at most so many times as large.
constexpr std::int64_t kMostTimes = 4;

/// Compares two graphs layer by layer.
class GraphComparison {
 public:
  GraphComparison(const Graph& before, const Graph& after) : before_(before), after_(after) {}

  /// Nothing: they differ in more than extents, or equal extents become different ones.
  std::optional<GraphChanges> Find() {
    const bool are_alike =
        before_.layers.size() == after_.layers.size() && before_.inputs == after_.inputs &&
        before_.outputs == after_.outputs &&
        std::equal(before_.layers.begin(), before_.layers.end(), after_.layers.begin(),
                   [this](const Layer& a, const Layer& b) { return IsAlike(a, b); });
    if (!are_alike) return {};
    changes_.numbers.insert(map_.begin(), map_.end());
    return std::move(changes_);
  }

 private:
  bool IsAlike(const Layer& a, const Layer& b) {
    return a.type == b.type && a.inputs == b.inputs && a.backend_hint == b.backend_hint &&
           std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                      [this](const TensorInfo& x, const TensorInfo& y) { return IsAlike(x, y); }) &&
           IsAlike(a.type, *a.descriptor, *b.descriptor) &&
           (a.type != LayerType::kConstant || IsAlikeConstant(a, b));
  }

  bool IsAlike(const TensorInfo& a, const TensorInfo& b) {
    if (a.data_type != b.data_type || a.shape.rank != b.shape.rank ||
        !(a.quantization == b.quantization)) {
      return false;
    }
    for (std::uint32_t axis = 0; axis < a.shape.rank; ++axis) {
      if (!Become(a.shape[axis], b.shape[axis])) return false;
    }
    return true;
  }

  bool IsAlike(LayerType type, const BaseDescriptor& a, const BaseDescriptor& b) {
    if (type == LayerType::kCustom) return &a == &b;  // it points to what it says
    if (a.size_bytes != b.size_bytes) return false;
    const std::vector<std::int64_t> before = TakeExtents(type, a, before_rest_);
    const std::vector<std::int64_t> after = TakeExtents(type, b, after_rest_);
    return before_rest_ == after_rest_ &&
           std::equal(before.begin(), before.end(), after.begin(), after.end(),
                      [this](std::int64_t x, std::int64_t y) { return Become(x, y); });
  }

  /// The extents of a descriptor; `rest` is what it says besides.
  static std::vector<std::int64_t> TakeExtents(LayerType type, const BaseDescriptor& descriptor,
                                               std::vector<unsigned char>& rest) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&descriptor);
    rest.assign(bytes, bytes + descriptor.size_bytes);
    std::vector<std::int64_t> extents;
    VisitExtents(type, *reinterpret_cast<BaseDescriptor*>(rest.data()),
                 [&](std::int64_t& extent) { extents.push_back(std::exchange(extent, 0)); });
    return extents;
  }

  bool IsAlikeConstant(const Layer& a, const Layer& b) {
    const std::uint64_t size_bytes = b.outputs[0].GetSizeBytes();
    const bool is_one = a.constant->identity != 0 && a.constant->identity == b.constant->identity;
    if (is_one && a.outputs[0] == b.outputs[0]) return true;
    if (size_bytes > kMostConstantBytes) return false;
    // Small ones are made anew for each stage.
    const void* const after = GetConstantData(b);
    if (a.outputs[0] == b.outputs[0] && HasElements(a, after)) return true;
    changes_.constants[b.id] = {FindProgression(a.outputs[0], GetConstantData(a)),
                                FindProgression(b.outputs[0], after)};
    return true;
  }

  bool Become(std::int64_t before, std::int64_t after) {
    return map_.emplace(before, after).first->second == after;
  }

  const Graph& before_;
  const Graph& after_;
  GraphChanges changes_;
  std::unordered_map<std::int64_t, std::int64_t> map_;
  std::vector<unsigned char> before_rest_;
  std::vector<unsigned char> after_rest_;
};

/// Places a graph after an example.
class LikePlacer {
 public:
  LikePlacer(const PlacedLike& like, std::vector<ExtentChange> extents, const Graph& graph,
             BackendPool& pool)
      : graph_(graph),
        changes_(like.changes),
        extents_(std::move(extents)),
        pool_(pool),
        shown_(graph),
        placed_(like.example->placed.placed) {}

  /// Nothing: a backend cannot.
  std::optional<PlacedGraph> Place() {
    for (Layer& layer : placed_.graph.layers) {
      if (Follow(placed_.layers[layer.id], layer)) continue;
      refused_by_ = placed_.layers[layer.id].backend_id;
      return {};
    }
    return std::move(placed_);
  }

  /// Which backend cannot.
  const std::string& GetRefusing() const { return refused_by_; }

 private:
  bool Follow(const PlacedLayer& placed, Layer& layer) {
    if (layer.pre_compiled) return Resize(placed, layer);
    if (placed.origin == kNoOrigin) return false;
    const Layer& origin = graph_.layers[placed.origin];
    if (IsRunByBackend(layer) && !pool_.Ask(placed.backend_id, origin).is_supported) return false;
    layer.descriptor = origin.descriptor;
    layer.outputs = origin.outputs;
    layer.constant = origin.constant;
    return true;
  }

  bool Resize(const PlacedLayer& placed, Layer& layer) {
    for (std::size_t i = 0; i < layer.outputs.size(); ++i) {
      const OutputSlot origin = placed.output_origins[i];
      if (origin.layer == kNoOrigin) return false;
      layer.outputs[i] = GetTensor(graph_, origin);
    }
    pool_.Make(placed.backend_id);
    const auto backend = pool_.Get(placed.backend_id);
    if (!backend) return false;
    auto resized = CallResize(*backend, placed, layer);
    if (!resized) return false;
    layer.pre_compiled =
        PluginObject<const IPreCompiledObject>(std::move(resized), backend->backend.GetOrigin())
            .Share();
    return true;
  }

  std::shared_ptr<const IPreCompiledObject> CallResize(const NetworkBackend& backend,
                                                       const PlacedLayer& placed,
                                                       const Layer& layer) const {
    std::deque<LayerTensors> tensors;
    std::vector<OutputSlot> readers;
    std::vector<const ConstTensor*> constants;
    for (const LayerId id : placed.stands_for) {
      const Layer& reader = graph_.layers[id];
      for (std::uint32_t i = 0; i < reader.inputs.size(); ++i) {
        const Layer* const constant = shown_.Find(reader.inputs[i]);
        if (constant == nullptr || changes_.constants.count(constant->id) == 0) continue;
        if (readers.empty() || readers.back().layer != id)
          tensors.emplace_back(graph_, shown_, reader);
        readers.push_back({id, i});
        constants.push_back(tensors.back().GetConstants()[i]);
      }
    }
    ResizeArgs args;
    args.num_changes = static_cast<std::uint32_t>(extents_.size());
    args.changes = extents_.data();
    args.readers = readers.data();
    args.constants = constants.data();
    args.num_constants = static_cast<std::uint32_t>(readers.size());
    args.model_context = backend.model_context.Share();
    args.options = &backend.options;
    args.logger = backend.backend.GetOrigin()->logger.get();
    args.context = backend.GetContext();
    WorkLimitScope::TellEnd(args);
    const CallScope scope([&] {
      return "in backend \"" + backend.id + "\", which resized " + DescribeLayer(layer) +
             " of network \"" + graph_.name + "\"";
    });
    const PluginObject<const IPreCompiledObject> compiled(layer.pre_compiled,
                                                          backend.backend.GetOrigin());
    auto result = compiled.Call<&IPreCompiledObject::Resize>(args);
    WorkLimitScope::RequireTime();
    if (!result.HasFailed()) return std::move(result.value);
    if (result.failure->code == DiagnosticCode::kRunTimedOut) result.GetOrThrow();
    Log("assignment", LogLevel::kWarning, ToText(DescribeFailure(backend, *result.failure)));
    return nullptr;
  }

  Diagnostic DescribeFailure(const NetworkBackend& backend, const Diagnostic& failure) const {
    Diagnostic diagnostic{failure.code, Severity::kWarning};
    diagnostic.subject = {SubjectKind::kBackend, backend.id};
    diagnostic.what = "backend \"" + backend.id +
                      "\" failed when it was to resize a part of network \"" + graph_.name +
                      "\"; the part is offered to it anew";
    diagnostic.why = failure.why;
    diagnostic.fix = failure.fix;
    return diagnostic;
  }

  const Graph& graph_;
  const GraphChanges& changes_;
  const std::vector<ExtentChange> extents_;
  BackendPool& pool_;
  const ShownConstants shown_;
  PlacedGraph placed_;
  std::string refused_by_;
};

/// Whether what a placed network consists of can be told from the network that was placed.
bool IsExample(const PlacedNetwork& network) {
  const auto& subgraphs = network.placement.subgraphs;
  const auto& layers = network.placed.graph.layers;
  return std::all_of(subgraphs.begin(), subgraphs.end(),
                     [](const PlacedSubgraph& subgraph) { return subgraph.turn == 1; }) &&
         std::all_of(layers.begin(), layers.end(), [&](const Layer& layer) {
           return layer.pre_compiled || network.placed.layers[layer.id].origin != kNoOrigin;
         });
}

}  // namespace

std::optional<std::vector<ExtentChange>> FindExtentChanges(
    const std::map<std::int64_t, std::int64_t>& numbers) {
  std::vector<ExtentChange> changes;
  for (const auto& [before, after] : numbers) {
    if (before == after) continue;
    // An extent of 1 is broadcast, and none makes a tensor empty.
    if (before <= 1 || after <= 1) return {};
    if (before / kMostTimes > after || after / kMostTimes > before) return {};
    changes.push_back({before, after});
  }
  return changes;
}

Placement MakePlacement(const PlacedLike& like, const Placement& own) {
  Placement placement = like.example->placed.placement;
  placement.endpoints = CollectEndpoints(like.example->graph);
  placement.edges = CollectEdges(like.example->graph);
  for (PlacedEdge& edge : placement.edges) {
    TensorShape& shape = edge.tensor.shape;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      const auto found = like.changes.numbers.find(shape.dims[axis]);
      if (found != like.changes.numbers.end()) shape.dims[axis] = found->second;
    }
  }
  placement.transfers = own.transfers;
  placement.moves = own.moves;
  placement.copied_bytes = own.copied_bytes;
  placement.num_copies = own.num_copies;
  placement.warnings.insert(placement.warnings.end(), own.warnings.begin(), own.warnings.end());
  return placement;
}

std::optional<PlacedGraph> PlacedExamples::PlaceLikeOne(const Graph& graph, BackendPool& pool,
                                                        PlacedLike& like) {
  const auto examples = Find(like);
  const bool is_foreseen = like.example != nullptr;
  std::string refused_by;
  for (auto example = examples.rbegin(); example != examples.rend(); ++example) {
    if (!is_foreseen) {
      auto changes = GraphComparison((**example).graph, graph).Find();
      if (!changes) continue;
      like = {*example, std::move(*changes), ""};
    }
    auto extents = FindExtentChanges(like.changes.numbers);
    if (!extents) continue;
    LikePlacer placer(like, std::move(*extents), graph, pool);
    auto placed = placer.Place();
    if (placed) return placed;
    refused_by = placer.GetRefusing();
    Remove(*example);
  }
  like = PlacedLike();
  like.refused_by = std::move(refused_by);
  return {};
}

std::vector<std::shared_ptr<const PlacedExample>> PlacedExamples::Find(const PlacedLike& like) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (like.example == nullptr) return examples_;
  if (std::count(examples_.begin(), examples_.end(), like.example) == 0) return {};
  return {like.example};
}

void PlacedExamples::Remove(const std::shared_ptr<const PlacedExample>& example) {
  const std::lock_guard<std::mutex> lock(mutex_);
  examples_.erase(std::remove(examples_.begin(), examples_.end(), example), examples_.end());
}

bool PlacedExamples::Add(std::shared_ptr<const PlacedExample> example) {
  if (!IsExample(example->placed)) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (examples_.size() == kMostExamples) examples_.erase(examples_.begin());
  examples_.push_back(std::move(example));
  return true;
}

void PlacedExamples::Clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  examples_.clear();
}

}  // namespace backplane
