#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/fence.hpp>
#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_logger.hpp>
#include <backplane/api/i_workload.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

struct ResizeArgs;

/// An output of a compiled sub-graph that may lie exactly where an input lies.
struct InPlacePair {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

/// What a backend compiled from a sub-graph; a backend derives from it. Owned by the PreCompiled
/// layer, and so by every network optimised from it.
///
/// Threads: any, for const functions of the derived class.
class IPreCompiledObject {
 public:
  virtual ~IPreCompiledObject() = default;

  /// Compiles the sub-graph for other extents, with equal results; takes much less time than
  /// OptimizeSubgraphView.
  /// Null: it cannot; the sub-graph is offered anew.
  /// Default: null.
  /// Conformance: BC0910.
  /// [any thread] Since: 1.0
  virtual std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& /*args*/) const {
    return nullptr;
  }

  /// Says which outputs may lie exactly where an input lies, when nobody reads that input after the
  /// workload: results are then the same as with memory of their own. Both have one shape and data
  /// type and lie dense in memory of the CPU. Each input and each output is in one pair at most. An
  /// output that is an input with a few new rows, as a cache is, then costs these rows alone.
  /// Default: none.
  /// Conformance: BC0911.
  /// [any thread] Since: 1.0
  virtual std::vector<InPlacePair> GetInPlacePairs() const { return {}; }
};

/// The layer for which a workload is wanted. Filled by the host; borrowed until the call returns,
/// except the data of constants, which stays as long as the workload.
struct WorkloadArgs {
  std::uint32_t size_bytes = sizeof(WorkloadArgs);
  LayerType layer_type = LayerType::kUndefined;
  const char* layer_name = "";
  const BaseDescriptor* descriptor = nullptr;  // of the type that layers.def states; never null
  const TensorInfo* const* inputs = nullptr;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  const TensorInfo* const* outputs = nullptr;
  const ConstTensor* const* constants = nullptr;  // for each input: its constant content, or null
  std::shared_ptr<const IPreCompiledObject> pre_compiled;  // for LayerType::kPreCompiled
  // For each input and output, the id of its tensor-handle factory; "" for constants. With the id
  // of one of its own factories, the backend gets handles which that factory made.
  const char* const* input_factories = nullptr;
  const char* const* output_factories = nullptr;
};

/// With what a backend's workload factory is made. Filled by the host.
struct WorkloadFactoryArgs {
  std::uint32_t size_bytes = sizeof(WorkloadFactoryArgs);
  std::uint32_t reserved = 0;
  std::shared_ptr<const IBackendModelContext> model_context;  // or null
  const BackendOptions* options = nullptr;  // of the network for this backend, checked; never null
  ILogger* logger = nullptr;                // never null; stays as long as the factory
  IBackendContext* context = nullptr;       // of the runtime, stays as long as the factory; or null
};

/// Makes the executable form of layers. One for each loaded network that uses the backend.
class IWorkloadFactory {
 public:
  virtual ~IWorkloadFactory() noexcept(false) = default;

  /// Makes the workload of one layer that ILayerSupport said yes to, or of a Copy layer as the
  /// properties of a tensor-handle factory promise it. A Copy layer's two tensors have one type and
  /// shape.
  /// Ownership: the caller's. It may outlive the factory and the IBackendInternal, not the library.
  /// Null: the backend cannot after all; the network is not loaded. Better throw with a reason.
  /// Conformance: BC0301 to BC0303, BC0402, BC0501, BC0705.
  /// [one at a time] Since: 1.0
  virtual std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) = 0;

  /// Makes what the workloads of this factory need for one working memory. Called after all of them
  /// are made, so that scratch memory can be sized for the largest.
  /// Null: nothing is needed.
  /// Conformance: BC0601, BC0808.
  /// [any thread] [after CreateWorkload] Since: 1.0
  virtual std::unique_ptr<IExecutionState> CreateExecutionState() { return nullptr; }

  /// Waits for an opaque fence that a workload of this factory gave; for a file or an event with a
  /// token, which is readable by then, says how the work ended.
  /// Errors: kTimeout; kInvalidArgument for a fence that is not this backend's; whatever the work
  /// failed with, for as long as the fence stays. An exception does the same and its text reaches
  /// the user.
  /// Units: nanoseconds; 0 looks without waiting, kNoTimeout waits as long as it takes.
  /// Conformance: BC0805.
  /// [any thread] [after Execute] Since: 1.0
  virtual Status WaitForFence(const FenceView& /*fence*/, std::uint64_t /*timeout_ns*/) {
    return Status::kUnsupported;
  }

  /// The memory of constants that the workloads made so far hold: what was made of them, as packed
  /// weights, and what is shared by ISubgraphReader::ShareConstant. What several workloads hold
  /// counts once; constants that come with WorkloadArgs do not count.
  /// Units: bytes.
  /// [any thread] [after CreateWorkload] Since: 1.0
  virtual std::uint64_t GetConstantBytes() const { return 0; }
};

}  // namespace backplane
