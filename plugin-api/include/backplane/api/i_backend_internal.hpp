#pragma once

/// The interface every backend implements.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/backend_version.hpp>
#include <backplane/api/custom_layer.hpp>
#include <backplane/api/exceptions.hpp>
#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_handle_factory_registry.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// With what a backend reads the options of one network. Filled by the host.
struct ModelContextArgs {
  std::uint32_t size_bytes = sizeof(ModelContextArgs);
  std::uint32_t reserved = 0;
  const BackendOptions* options = nullptr;  // those for this backend, checked; never null
  ILogger* logger = nullptr;                // never null; stays as long as the model context
  IBackendContext* context =
      nullptr;  // of the runtime, stays as long as the model context; or null
};

/// With what layer support is asked for. Filled by the host.
struct LayerSupportArgs {
  std::uint32_t size_bytes = sizeof(LayerSupportArgs);
  std::uint32_t reserved = 0;
  std::shared_ptr<const IBackendModelContext> model_context;  // or null
  IBackendContext* context = nullptr;  // of the runtime, stays as long as the answer; or null
};

/// A backend. Cheap to make, without state, and not guaranteed to outlive what it creates: it is
/// the entry to the functions below. Only GetId, CreateWorkloadFactory and GetLayerSupport must be
/// implemented.
///
/// Anything a function throws becomes a diagnostic that names the backend; the host goes on. So
/// does what the destructor of an object throws that was given in a unique_ptr, which is why these
/// may throw. One given in a shared_ptr must not: C++ ends the process.
class IBackendInternal {
 public:
  virtual ~IBackendInternal() noexcept(false) = default;

  /// The version of the Backend API that these headers describe; what GetVersion returns.
  /// [any thread]
  static constexpr BackendVersion GetApiVersion() { return kBackendApiVersion; }

  /// The backend's id: what the entry point GetBackendId returns.
  /// Ownership: static storage of the backend.
  /// Conformance: BC0201.
  /// [any thread] Since: 1.0
  virtual const char* GetId() const = 0;

  /// Makes the workload factory of one loaded network.
  /// Null: an error; the network is not loaded.
  /// Conformance: BC0501, BC0513.
  /// [any thread] Since: 1.0
  virtual std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const = 0;

  /// Makes what the backend keeps for the life of a runtime.
  /// Null: nothing is kept.
  /// Errors: throw BackendUnavailableException when the backend cannot work here, and
  /// UnsupportedException when it cannot use the allocator that it is given.
  /// Conformance: BC0427, BC0506, BC0507, BC0513, BC0706, BC0907.
  /// [any thread] Since: 1.0
  virtual std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& /*args*/) const {
    return nullptr;
  }

  /// Makes what the backend keeps for one network.
  /// Null: nothing is kept.
  /// [any thread] Since: 1.0
  virtual std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& /*args*/) const {
    return nullptr;
  }

  /// Makes the profiling side of the backend for one runtime, when profiling is on.
  /// Null: the backend reports nothing.
  /// Conformance: BC0514.
  /// [any thread] Since: 1.0
  virtual std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& /*args*/) const {
    return nullptr;
  }

  /// Gives the object that says which layers the backend can run.
  /// Null: an error; the backend gets no layers.
  /// Conformance: BC0512.
  /// [any thread] Since: 1.0
  virtual std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const = 0;

  /// The operators of the backend's own, for layers of the type kCustom; GetLayerSupport says which
  /// of those layers it can run.
  /// Default: none.
  /// [any thread] Since: 1.0
  virtual std::vector<OperatorDeclaration> GetOperators() const { return {}; }

  /// Cases of them with results that are right, for check-backend.
  /// Default: none.
  /// Conformance: BC0309.
  /// [any thread] Since: 1.0
  virtual std::vector<OperatorCase> GetOperatorCases() const { return {}; }

  /// Infers the outputs of a layer of one of them. Pure: no device, no context.
  /// Errors: throw when such a layer cannot be, with the reason.
  /// Default: declares no operators.
  /// [any thread] Since: 1.0
  virtual std::vector<TensorInfo> InferOutputs(const InferArgs& /*args*/) const {
    throw UnsupportedException("it declares no operators");
  }

  /// Optimises a sub-graph whose layers were all assigned to this backend.
  /// Default: everything untouched.
  /// Conformance: BC0901 to BC0905.
  /// [any thread] Since: 1.0
  virtual OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const {
    OptimizationViews views;
    views.untouched.push_back(*args.subgraph);
    return views;
  }

  /// Registers the backend's kinds of tensor memory. Called once for each network that is optimised
  /// or loaded.
  /// Default: none; tensors lie in memory that the core allocates for the CPU.
  /// Conformance: BC0411.
  /// [any thread] Since: 1.0
  virtual void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& /*registry*/,
                                             const BackendCallArgs& /*args*/) const {}

  /// The ids of the tensor-handle factories whose tensors the backend can use, its own or others',
  /// best first.
  /// Conformance: BC0412.
  /// [any thread] Since: 1.0
  virtual std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const {
    return {};
  }

  /// What the backend says of itself; see the kCapability names.
  /// Conformance: BC0202.
  /// [any thread] Since: 1.0
  virtual BackendCapabilities GetCapabilities() const { return {}; }

  /// The options that the backend reads, for a runtime and for a network.
  /// Conformance: BC0203, BC0204, BC0513.
  /// [any thread] Since: 1.0
  virtual std::vector<OptionSchema> GetOptionSchemas() const { return {}; }
};

}  // namespace backplane
