#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/configuration.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/export.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/placement.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

class RuntimeContexts;
namespace profiling {
class Recorder;
}

/// What a network can be placed on: the available backends of one runtime.
///
/// Ownership: a cheap value; shares the registry and what the backends keep for the runtime, and
/// keeps the libraries open.
/// Threads: any.
class BACKPLANE_RUNTIME_API DeviceSpec {
 public:
  /// Null: no backends.
  /// Null: without `contexts` there is no runtime. Backends then get no context, and no runtime
  /// loads what is optimised so.
  /// Null: without `recorder`, nothing is measured.
  /// `preferred`: Configuration::preferred.
  explicit DeviceSpec(std::shared_ptr<const BackendRegistry> registry = nullptr,
                      std::shared_ptr<RuntimeContexts> contexts = nullptr,
                      std::shared_ptr<profiling::Recorder> recorder = nullptr,
                      std::vector<Setting> preferred = {});

  /// [any thread]
  const BackendRegistry& GetRegistry() const { return *registry_; }
  /// [any thread]
  const std::shared_ptr<const BackendRegistry>& ShareRegistry() const { return registry_; }

  /// What the backends keep for the runtime: the core's own. [any thread]
  const std::shared_ptr<RuntimeContexts>& ShareContexts() const { return contexts_; }
  /// Of the runtime; null when its profiling is off. [any thread]
  profiling::Recorder* GetRecorder() const { return recorder_.get(); }

  /// The available ones of the backends that the configuration prefers, in its order: they are
  /// asked before the others when a network is optimised without preferences. [any thread]
  std::vector<Setting> GetPreferredBackends() const;

  /// The available backends, by falling rank and then in the order of registration. [any thread]
  std::vector<std::string> GetBackendIdsByRank() const;

 private:
  std::shared_ptr<const BackendRegistry> registry_;
  std::shared_ptr<RuntimeContexts> contexts_;
  std::shared_ptr<profiling::Recorder> recorder_;
  std::vector<Setting> preferred_;
};

/// Whether a hint may be passed over.
enum class HintPolicy {
  kFallBack,  // when the hinted backend refuses, the preferences apply and the plan says so
  kStrict,    // then it is an error
};

/// Whether the order of the preferences decides alone.
enum class PreferencePolicy {
  /// Layers are left on the backend that comes next where their tensors would have to cross to the
  /// preferred one and back for less work than that costs, as its capabilities state it
  /// (kCapabilityCrossingTime and those beside it). LayerPlacement::refusals says so, with the
  /// numbers. Nothing changes for backends that state no costs.
  kWeighCrossings,
  kStrict,  // it does
};

/// What happens when a backend fails while the loaded network runs; see docs/application-guide.md.
enum class FailurePolicy {
  kFail,  // the run fails
  /// The network is placed again without that backend, once for each time that it is loaded, and
  /// the run is repeated there with the same inputs. It is logged (kPlacedElsewhere), and
  /// IRuntime::GetFallbackReport tells it. Until then the application's network is kept, without
  /// copies of its constants.
  kPlaceElsewhere,
};

struct OptimizerOptions {
  HintPolicy hints = HintPolicy::kFallBack;
  PreferencePolicy policy = PreferencePolicy::kWeighCrossings;
  FailurePolicy on_failure = FailurePolicy::kFail;
  ModelOptions model_options;  // options for backends, for this network
  /// Where backends keep what they compile. Null: nothing is kept.
  std::shared_ptr<ICompiledNetworkCache> compiled_cache;
  /// How many bytes may be copied between kinds of tensor memory in one run, inputs and outputs
  /// included. Null: any number.
  std::optional<std::uint64_t> max_copied_bytes;

  /// Asks for a backend for layers that are made only when a network with open extents runs; "" for
  /// the one that SetBackendHint gave, if any. Asked for each layer of each plan, by any thread
  /// that runs it.
  std::function<std::string(const NetworkOperator& layer)> choose_hint;
  /// How much memory the plans of a network with open extents may take, constants not counted: one
  /// for each shape and, where shapes depend on data, for each stage. Those that were not used for
  /// the longest time go first; those that are in use stay.
  std::uint64_t max_plan_bytes = std::uint64_t{256} << 20U;
  /// Plans to be made when the network is loaded: for each the shapes of all inputs, in their
  /// order. LoadNetwork then also throws what making them does, and kWrongTensorBinding for shapes
  /// that do not agree with the network.
  std::vector<std::vector<TensorShape>> announced_shapes;
};

/// A network with a backend for each layer, ready to be loaded. Immutable.
///
/// Ownership: keeps the libraries of its backends open; may outlive its runtime.
/// Threads: any.
class BACKPLANE_RUNTIME_API IOptimizedNetwork {
 public:
  virtual ~IOptimizedNetwork();

  /// [any thread]
  virtual const Placement& GetPlacement() const = 0;
  /// [any thread]
  virtual std::vector<NetworkBinding> GetInputs() const = 0;
  /// [any thread]
  virtual std::vector<NetworkBinding> GetOutputs() const = 0;

 private:
  // Only the core implements optimised networks.
  friend class OpenNetwork;
  friend class OptimizedNetwork;
  IOptimizedNetwork() = default;
};

/// Gives each layer to a backend: its hint if it has one, else the first of the preferences that
/// says yes. Without preferences every available backend is asked: those that the configuration
/// prefers, in its order, and then the others by rank; Placement::preferred says so. A backend that
/// is neither preferred nor hinted is never asked. One that takes only whole networks gets all
/// layers or none. Without preferences, a backend that fails when it is asked has refused. So has,
/// always, one that fails when its file is opened at first use.
///
/// Then the largest connected parts of each backend, without cycles between them, are offered to
/// it, and what it makes of them is checked and takes their place. A part that it fails is given to
/// the next backend in the order, which has its turn. An answer that cannot be used, and an
/// exception, are warnings of the placement; the part then runs layer by layer. A backend that
/// takes only whole networks and fails a part gets nothing. The same input gives the same plan.
///
/// Then each tensor gets a kind of memory, so that the fewest bytes are copied, and among those
/// plans the one that the backends prefer; see docs/tensor-handles.md. Placement::transfers tells
/// what crosses from backend to backend, and how.
///
/// The network is copied (constants are shared); later changes to it are not seen.
///
/// Of a network from a source, plans are made when it is loaded and runs; until then its placement
/// has no layers, and what is wrong with them is told by the run. Its constants are kept.
/// Errors: DiagnosticException with
///   kBackendNotRegistered or kBackendRejected for a preference or hint that is not available,
///   kNoOutputs,
///   kLayerNotSupported when nobody takes some layers, or they were failed and nobody else does;
///   the causes are those layers, each with the
///     refusal of every backend asked,
///   kHintRefused with HintPolicy::kStrict,
///   kUnknownOption or kInvalidOption for an option that its backend does not declare so,
///   kNoTransfer for tensors that cannot get from one backend to another,
///   kTooManyBytesCopied with max_copied_bytes,
///   kBackendThrew, kOutOfMemory or kBackendUnavailable for a backend that is preferred or hinted.
/// [any thread]
BACKPLANE_RUNTIME_API std::shared_ptr<const IOptimizedNetwork> Optimize(
    const INetwork& network, const std::vector<std::string>& preferences, const DeviceSpec& device,
    const OptimizerOptions& options = {});

/// The same for a network that the application gives up: the memory of constants is freed as soon
/// as backends have made their own of them, so that large weights are in memory once. With
/// FailurePolicy::kPlaceElsewhere all are kept.
/// Ownership: the network is destroyed, also when an error is thrown.
/// Null: DiagnosticException with kNullNetwork.
/// Errors: as above; also kConstantReleased, when a backend lets go of constants and then fails
/// the layers that read them.
/// [any thread]
BACKPLANE_RUNTIME_API std::shared_ptr<const IOptimizedNetwork> Optimize(
    std::unique_ptr<INetwork> network, const std::vector<std::string>& preferences,
    const DeviceSpec& device, const OptimizerOptions& options = {});

}  // namespace backplane
