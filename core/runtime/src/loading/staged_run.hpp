#pragma once

#include "execution/check_bindings.hpp"
#include "execution/transfer_counters.hpp"
#include "loading/plan_tree.hpp"
#include "loading/stage_memory.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace backplane::loading {

/// What all networks of a run share.
struct StagedRunParts {
  PlanTrees& trees;
  const std::shared_ptr<StageMemory>& memory;
  NetworkFallback* fallback;                      // null: a run that a backend fails has failed
  const RunBounds* bounds;                        // null: however long it takes
  std::optional<std::uint64_t> most_copied = {};  // OptimizerOptions::max_copied_bytes
  std::uint64_t copied_bytes = 0;                 // until now
};

/// How the memory of an input may be used.
struct InputUse {
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
  TensorShape memory = {};  // of a growing tensor; rank 0: it is none
};

/// The inputs of a run.
struct GivenInputs {
  std::vector<StageValue> values;
  std::vector<InputUse> uses;  // may be empty
};

/// Where an output goes. Null data: memory is allocated.
struct WantedOutput {
  void* data = nullptr;
  std::uint64_t size_bytes = 0;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
  bool may_be_larger = false;  // the room than the output
  bool is_of_input = false;    // the room lies where an input lies, and where nothing else does
};

/// One run through the stages of a network.
class StagedRun final : private IStageRunner {
 public:
  /// `depth` is how many networks it is within.
  explicit StagedRun(StagedRunParts& parts, std::uint32_t depth = 0)
      : parts_(parts), depth_(depth) {}

  /// The outputs; those that are wanted somewhere lie there when their size is that of the room.
  /// Errors: RunFailure, DiagnosticException, std::bad_alloc.
  std::vector<StageValue> Run(PlanTree& tree, GivenInputs inputs,
                              const std::vector<WantedOutput>& wanted);

 private:
  std::vector<StageValue> RunNetwork(const std::shared_ptr<const INetworkSource>& network,
                                     std::vector<StageValue> inputs) override;
  void RequireGoingOn() override;
  std::shared_ptr<void> Allocate(std::uint64_t size_bytes) override {
    return parts_.memory->Allocate(size_bytes);
  }

  void RunStageNetwork(const Plan& plan, const std::vector<WantedOutput>& wanted);
  InputTensors TakeInputs(const NetworkStage& stage) const;
  OutputTensors MakeRoom(const Plan& plan, const std::vector<WantedOutput>& wanted);
  void CountCopies(const Placement& placement);
  void RunSteps(const Plan& plan);
  /// Errors: as IStageOperation::Run; kStageFailed for any other exception.
  std::vector<StageValue> RunOperation(const IStageOperation& operation,
                                       const std::vector<StageValue>& inputs);
  const StageValue& Get(StageValueId id) const {
    return id < inputs_.values.size() ? inputs_.values[id] : made_.at(id);
  }
  std::vector<StageValue> GetAll(const std::vector<StageValueId>& ids) const;
  /// The results of the network, which this run needs no more.
  std::vector<StageValue> TakeResults(const std::vector<StageValueId>& ids);
  /// Those that the steps of a stage made.
  std::vector<StageValue> GetMade(const NetworkStage& stage) const;

  StagedRunParts& parts_;
  const std::uint32_t depth_;
  GivenInputs inputs_;
  std::unordered_map<StageValueId, StageValue> made_;  // by the stages
};

/// Takes the inputs that a run was given, in the order of the bindings. They were checked.
GivenInputs TakeInputs(const NetworkBindings& network, const InputTensors& inputs);
std::vector<WantedOutput> TakeOutputs(const NetworkBindings& network,
                                      const std::vector<StageValue>& inputs,
                                      const OutputTensors& outputs);

/// Where results go. Borrows all.
struct DeliveryArgs {
  const NetworkBindings& network;
  const InputTensors& inputs;
  const OutputTensors& outputs;
  StageMemory& memory;
  TransferLedger& ledger;
};

/// Puts results where they are wanted, says what they are, and counts what is copied.
/// Errors: DiagnosticException with kWrongTensorBinding for room that is too small, kImportRefused
/// for an output with MemoryUse::kImport that has to be copied.
void Deliver(const DeliveryArgs& args, std::vector<StageValue> results);

}  // namespace backplane::loading
