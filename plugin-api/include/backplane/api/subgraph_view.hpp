#pragma once

/// Parts of networks, as host and backend speak of them during optimisation: by the ids of layers,
/// so that neither holds objects of the other.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/status.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

/// A layer, unique within one network. Replacement layers get ids of their own.
using LayerId = std::uint32_t;

/// One output of one layer. Frozen layout.
struct OutputSlot {
  LayerId layer = 0;
  std::uint32_t index = 0;
};

constexpr bool operator==(OutputSlot a, OutputSlot b) {
  return a.layer == b.layer && a.index == b.index;
}
constexpr bool operator!=(OutputSlot a, OutputSlot b) {
  return !(a == b);
}

/// A set of layers with the tensors that enter and leave it. Frozen layout.
///
/// Constants are no layers of a sub-graph and do not count among its inputs: their content comes
/// with the layers that read them (LayerView::constants). MakeSubgraphPart of subgraph_parts.hpp
/// describes a part so.
///
/// For a replacement, the order of `inputs` and `outputs` is that of the sub-graph it replaces.
struct SubgraphView {
  std::vector<LayerId> layers;      // in an order in which they can run
  std::vector<OutputSlot> inputs;   // tensors made outside that a layer inside reads
  std::vector<OutputSlot> outputs;  // tensors made inside that a layer outside reads
  std::uint64_t reserved[2] = {};
};

/// One layer as a backend sees it. Filled by the host; valid until OptimizeSubgraphView returns.
struct LayerView {
  std::uint32_t size_bytes = sizeof(LayerView);
  LayerType layer_type = LayerType::kUndefined;
  LayerId id = 0;
  std::uint32_t reserved = 0;
  const char* name = "";
  const BaseDescriptor* descriptor = nullptr;  // of the type that layers.def states; never null
  const OutputSlot* inputs = nullptr;          // which tensor each input reads
  const TensorInfo* const* input_infos = nullptr;
  const ConstTensor* const* constants = nullptr;  // for each input: its constant content, or null
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  const TensorInfo* const* output_infos = nullptr;
};

/// How a backend looks at the layers of a sub-graph. Implemented by the host.
class ISubgraphReader {
 public:
  virtual ~ISubgraphReader() = default;

  /// Finds a layer of the sub-graph.
  /// Errors: kNotFound when the id is not of this sub-graph; the pointer is then null.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status GetLayer(LayerId id, const LayerView** layer) const = 0;

  /// Shares the content of the constant that a layer reads, so that it need not be copied.
  /// Ownership: it stays until the last who shares it lets go, also beyond the call.
  /// Null: kInvalidArgument for a null `content`; a constant without elements may have none.
  /// Errors: kNotFound for an id that is not of the sub-graph; kInvalidArgument for an input that
  /// is no constant. The content is then untouched.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status ShareConstant(LayerId /*layer*/, std::uint32_t /*input*/,
                               std::shared_ptr<const void>* /*content*/) const {
    return Status::kUnsupported;
  }
};

/// A replacement layer to add. Filled by the backend.
struct ReplacementLayer {
  std::uint32_t size_bytes = sizeof(ReplacementLayer);
  LayerType layer_type = LayerType::kUndefined;
  const char* name = "";                       // copied
  const BaseDescriptor* descriptor = nullptr;  // copied; null: all defaults
  const OutputSlot* inputs = nullptr;
  const TensorInfo* const* output_infos = nullptr;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
};

/// How a backend makes replacement layers. Implemented by the host.
class ISubgraphBuilder {
 public:
  virtual ~ISubgraphBuilder() = default;

  /// Adds a layer; inputs are tensors of the sub-graph, its inputs, or of layers added before.
  /// Errors: kInvalidArgument when a slot is unknown or the layer does not validate; the host
  /// reports why. The id is then untouched.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status AddLayer(const ReplacementLayer& layer, LayerId* id) = 0;

  /// Adds a PreCompiled layer that owns `object`.
  /// Null: an object that is null is refused with kInvalidArgument.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status AddPreCompiledLayer(const ReplacementLayer& layer,
                                     std::shared_ptr<const IPreCompiledObject> object,
                                     LayerId* id) = 0;

  /// Adds a constant; the data is copied.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) = 0;

  /// Lets go of the constant that a layer of the sub-graph reads: nothing of the backend reads its
  /// content from here on, but where it shares it. When all readers have let go, the memory is
  /// freed at once where the application has given its network up; else pages of a file are given
  /// back. The layer must be replaced or deleted then: one that stays could not run, and the
  /// network is not placed. What is kept in a cache is asked for before. Errors: kNotFound for an
  /// id that is not of the sub-graph; kInvalidArgument for an input that is no constant. To let go
  /// twice is no error. Conformance: BC0909. [during OptimizeSubgraphView] Since: 1.0
  virtual Status ReleaseConstant(LayerId /*layer*/, std::uint32_t /*input*/) {
    return Status::kUnsupported;
  }
};

/// What a backend keeps of a compiled sub-graph from one process to the next. Implemented by the
/// host, which tells sub-graphs apart: by their layers, tensors and constants, by the backend's id
/// and product version, and by the options of the network for it.
class ICompiledSubgraphCache {
 public:
  virtual ~ICompiledSubgraphCache() = default;

  /// Reads what was stored for this sub-graph under a key of the backend's own, for example the
  /// version of its compiler and the name of the device.
  /// Null: kInvalidArgument.
  /// Errors: kNotFound when there is nothing; `content` is then empty. What is found is as it was
  /// stored: the host has checked it.
  /// Conformance: BC0905.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status Load(const char* key, std::vector<std::uint8_t>* content) = 0;

  /// Stores content under a key, instead of what was there.
  /// Null: kInvalidArgument.
  /// Errors: kFailure when it cannot be written; the host reports why, and the network is optimised
  /// all the same.
  /// [during OptimizeSubgraphView] Since: 1.0
  virtual Status Store(const char* key, const void* content, std::uint64_t size_bytes) = 0;
};

/// One part of a sub-graph and the layers to put in its place. Frozen layout.
struct SubgraphSubstitution {
  SubgraphView original;
  SubgraphView replacement;
  std::uint64_t reserved[2] = {};
};

/// What a backend made of a sub-graph. Together the originals, failed, untouched and deleted parts
/// cover every layer of it exactly once, and none needs its own result; the host checks, and leaves
/// a sub-graph as it was when they do not. What is untouched may be offered again, with layers that
/// came from other backends; the rest is not. Frozen layout.
struct OptimizationViews {
  std::vector<SubgraphSubstitution> substitutions;
  std::vector<SubgraphView> failed;     // the backend cannot run these after all
  std::vector<SubgraphView> untouched;  // to be run layer by layer
  std::vector<SubgraphView> deleted;    // not needed; inputs and outputs match one to one
  std::uint64_t reserved[4] = {};
};

/// With what a sub-graph is offered. Filled by the host; borrowed until the call returns.
struct OptimizeSubgraphArgs {
  std::uint32_t size_bytes = sizeof(OptimizeSubgraphArgs);
  std::uint32_t reserved = 0;
  const SubgraphView* subgraph = nullptr;
  const ISubgraphReader* reader = nullptr;
  ISubgraphBuilder* builder = nullptr;
  std::shared_ptr<const IBackendModelContext> model_context;  // or null
  const BackendOptions* options = nullptr;  // of the network for this backend, checked; never null
  ILogger* logger = nullptr;                // never null
  IBackendContext* context = nullptr;  // of the runtime, stays as long as what is made; or null
  /// What was compiled from the same sub-graph earlier. Null: nothing is kept for this network.
  ICompiledSubgraphCache* cache = nullptr;
  /// Extents of the network differ from run to run: what is compiled may be resized.
  bool is_open = false;
  /// The word that is not 0 when the run that waits for this is to end soon. What is thrown or
  /// returned then is not used. A backend that reads it states kCapabilityStop. Null: no run that
  /// could be cancelled waits.
  const std::uint32_t* stop = nullptr;
  /// When that run is to end, in nanoseconds of CLOCK_MONOTONIC. 0: never.
  std::uint64_t deadline_ns = 0;
};

/// An extent of a compiled sub-graph that gets another value. Frozen layout.
struct ExtentChange {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// The extents that a compiled sub-graph is to have. Each extent that was `before` is `after`:
/// those of tensors and those in descriptors (VisitExtents). Nothing else was `before`. An extent
/// of 0 or 1 stays as it is, and no other becomes 0 or 1. All else is as it was offered, but for
/// the constants here. Filled by the host; borrowed until the call returns.
struct ResizeArgs {
  std::uint32_t size_bytes = sizeof(ResizeArgs);
  std::uint32_t num_changes = 0;
  const ExtentChange* changes = nullptr;  // each `before` once
  const OutputSlot* readers = nullptr;  // inputs of layers of the offer that read another constant
  const ConstTensor* const* constants = nullptr;  // that constant, with data
  std::uint32_t num_constants = 0;
  std::uint32_t reserved = 0;
  // The rest has the meaning that it has in OptimizeSubgraphArgs.
  std::shared_ptr<const IBackendModelContext> model_context;
  const BackendOptions* options = nullptr;
  ILogger* logger = nullptr;
  IBackendContext* context = nullptr;
  const std::uint32_t* stop = nullptr;
  std::uint64_t deadline_ns = 0;
};

}  // namespace backplane
