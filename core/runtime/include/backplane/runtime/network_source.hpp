#pragma once

/// Networks of which shapes, values or layers are known only when a run begins, or while it goes
/// on. A source makes them stage after stage: each stage is a network with fixed shapes, which is
/// optimised and loaded as any other and kept for the next run that is alike.

#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/export.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/stage_value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

class INetworkSource;

/// An input or output whose extents may be kOpenExtent.
struct OpenBinding : NetworkBinding {
  /// For each axis a name, or "": open extents with one name are equal. May be empty.
  std::vector<std::string> dim_names;
  std::vector<ExtentBounds> bounds;  // of open extents, for each axis. May be empty: 0 and more
  bool is_rank_open = false;         // any shape; that of `info` is empty
  /// An extent of 0 may differ from others with its name: a tensor without elements stands for
  /// none, as the cache does before the first token.
  bool may_be_empty = false;
};

/// Which value of a run. The inputs of the network have the numbers from 0 on; a source chooses
/// those of all others.
using StageValueId = std::uint32_t;

/// What an operation between stages may ask for.
class IStageRunner {
 public:
  /// Runs another network, in the same run: the body of a loop, the branch that is taken.
  /// Errors: DiagnosticException with what kept it from its end. [one at a time]
  virtual std::vector<StageValue> RunNetwork(const std::shared_ptr<const INetworkSource>& network,
                                             std::vector<StageValue> inputs) = 0;

  /// To be called now and then by what may take long.
  /// Errors: an exception, to be let through, when the run is to end. [one at a time]
  virtual void RequireGoingOn() = 0;

  /// Memory for results, aligned to 64 bytes. May be used again when the last pointer is gone.
  /// Errors: std::bad_alloc. [any thread]
  virtual std::shared_ptr<void> Allocate(std::uint64_t size_bytes) = 0;

 protected:
  ~IStageRunner() = default;
};

/// So many indices of an axis of a tensor; shares its memory where they lie together.
/// Errors: as IStageRunner::Allocate. [any thread] Since: 0.1
BACKPLANE_RUNTIME_API StageValue TakeStagePart(const StageValue& tensor, std::uint32_t axis,
                                               std::int64_t begin, std::int64_t count,
                                               IStageRunner& runner);

/// Tensors, at least one, one behind the other along an axis. They are alike but for its extent.
/// Errors: as IStageRunner::Allocate. [any thread] Since: 0.1
BACKPLANE_RUNTIME_API StageValue JoinStageTensors(const std::vector<StageValue>& tensors,
                                                  std::uint32_t axis, IStageRunner& runner);

/// What is done between stages by the thread of the run, on memory of the CPU, because the shapes
/// of its results depend on what its inputs hold. Immutable; may be run by several threads at once.
class BACKPLANE_RUNTIME_API IStageOperation {
 public:
  virtual ~IStageOperation();
  /// For messages: node "nonzero_3" (NonZero). [any thread]
  virtual const std::string& GetDescription() const = 0;
  /// Errors: DiagnosticException; any other exception is told as kStageFailed. [any thread]
  virtual std::vector<StageValue> Run(const std::vector<StageValue>& inputs,
                                      IStageRunner& runner) const = 0;
};

/// An operation with what it reads and makes.
struct StageStep {
  std::shared_ptr<const IStageOperation> operation;
  std::vector<StageValueId> inputs;
  std::vector<StageValueId> outputs;  // those at the end may be left out
};

struct NetworkStage;

/// Makes the stage after another one. Immutable; may be called by several threads at once.
class BACKPLANE_RUNTIME_API IStageMaker {
 public:
  virtual ~IStageMaker();
  /// `made`: what the steps of the stage before have made, in their order; tensors without data.
  /// `wanted`: the values that it wanted, with data. Plans are kept by both: a stage may depend on
  /// nothing else.
  /// Errors: DiagnosticException; any other exception is told as kStageFailed. [any thread]
  virtual NetworkStage MakeStage(const std::vector<StageValue>& made,
                                 const std::vector<StageValue>& wanted) const = 0;
};

/// Calculates constants of a first stage anew for other extents. Immutable; may be called by
/// several threads at once.
class BACKPLANE_RUNTIME_API IStageRecalculation {
 public:
  virtual ~IStageRecalculation();
  /// `followed`: those of a stage for these extents. Gives one tensor for each constant;
  /// how it is quantised stays.
  /// Errors: any exception; the source is then asked for the stage. [any thread]
  virtual std::vector<StageValue> Recalculate(const std::vector<std::int64_t>& followed) const = 0;
};

/// A part of a network that runs as a whole: a network with fixed shapes, then operations one after
/// the other.
struct NetworkStage {
  std::unique_ptr<INetwork> network;         // null: none
  std::vector<StageValueId> network_inputs;  // what its inputs read, in their order
  std::vector<StageValueId> network_outputs;
  std::vector<StageStep> steps;
  std::vector<StageValueId> wanted;         // values on which the next stage depends
  std::shared_ptr<const IStageMaker> next;  // null: this is the last stage
  std::vector<StageValueId> results;        // of the last stage: the outputs of the whole network

  /// Whether first stages for inputs of other extents can be foreseen from some that were made.
  /// Such stages differ in extents of tensors and of descriptors alone. Each of these is a
  /// polynomial of the extents of the inputs, and so is each of the numbers below. That
  /// holds for all inputs with which no extent becomes or was 0 or 1, all these numbers are whole,
  /// `decisions` keep their signs, and `pinned` stay as they are. False, the default: nothing is
  /// known. Since: 0.1
  bool follows_extents = false;
  std::vector<std::int64_t> decisions;
  std::vector<std::int64_t> pinned;
  /// Layers of `network` that are constants, of which only `recalculation` knows the elements for
  /// other extents, from `followed`. Null: there are none. Since: 0.1
  std::vector<LayerId> recalculated;
  std::vector<std::int64_t> followed;
  std::shared_ptr<const IStageRecalculation> recalculation;
};

/// A network that is made stage by stage. Immutable.
///
/// Threads: any.
class BACKPLANE_RUNTIME_API INetworkSource {
 public:
  virtual ~INetworkSource();

  /// For messages and reports. [any thread]
  virtual const std::string& GetName() const = 0;

  /// [any thread]
  virtual std::vector<OpenBinding> GetInputs() const = 0;
  /// [any thread]
  virtual std::vector<OpenBinding> GetOutputs() const = 0;

  /// `inputs`: of each input, in their order; they agree with GetInputs. Tensors are without data.
  /// Errors: DiagnosticException; any other exception is told as kStageFailed. [any thread]
  virtual NetworkStage MakeFirstStage(const std::vector<StageValue>& inputs) const = 0;
};

/// Runs one of two networks, as its first input says, which is one bool. The others are the inputs
/// of both, whose outputs are its outputs.
/// Null: not allowed.
/// [any thread] Since: 0.1
BACKPLANE_RUNTIME_API std::shared_ptr<const IStageOperation> MakeIf(
    std::string description, std::shared_ptr<const INetworkSource> then_network,
    std::shared_ptr<const INetworkSource> else_network);

struct LoopOptions {
  std::uint32_t num_carried = 0;  // values that each round takes from the one before
  /// Rounds after which a loop is given up (kLoopTooLong).
  std::int64_t max_rounds = std::int64_t{1} << 31;
};

/// Runs a network again and again. Inputs: how often at most, int64, or nothing; whether to begin,
/// one bool, or nothing; the carried values; then what each round gets besides. The network takes
/// the number of the round (one int64, of the rank that it states), whether it goes on (one bool,
/// in the same way), the carried values and the rest; it gives whether to go on, the carried
/// values, and what is collected. Outputs: the carried values, then what was collected, with the
/// rounds as first axis. Carried values are handed on without copies. [any thread] Since: 0.1
BACKPLANE_RUNTIME_API std::shared_ptr<const IStageOperation> MakeLoop(
    std::string description, std::shared_ptr<const INetworkSource> body,
    const LoopOptions& options);

struct ScanLoopOptions {
  std::uint32_t num_carried = 0;
  std::vector<std::int64_t> input_axes;   // of each input that is taken apart: along which axis
  std::vector<bool> are_inputs_reversed;  // from the last index to the first
  std::vector<std::int64_t> output_axes;  // of each output that is collected
  std::vector<bool> are_outputs_reversed;
};

/// Runs a network for each index of an axis. Inputs: the carried values, the tensors that are taken
/// apart, then what each round gets besides; the network takes the same, without the axes. It gives
/// the carried values, and what is collected along an axis.
/// [any thread] Since: 0.1
BACKPLANE_RUNTIME_API std::shared_ptr<const IStageOperation> MakeScan(
    std::string description, std::shared_ptr<const INetworkSource> body, ScanLoopOptions options);

/// Runs a network for each place of sequences. Of the first `num_mapped` inputs, of which the first
/// is a sequence, each round gets the element at its place of those that are sequences, and all of
/// the others; the inputs behind them it gets as they are. What the network gives becomes a
/// sequence for each of its outputs. Sequences that are mapped are equally long.
/// [any thread] Since: 0.1
BACKPLANE_RUNTIME_API std::shared_ptr<const IStageOperation> MakeSequenceMap(
    std::string description, std::shared_ptr<const INetworkSource> body, std::uint32_t num_mapped);

}  // namespace backplane
