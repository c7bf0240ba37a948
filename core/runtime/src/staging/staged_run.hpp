#pragma once

#include "staging/plan_tree.hpp"
#include "staging/stage_memory.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace backplane::staging {

/// What all networks of a run share.
struct StagedRunParts {
  PlanTrees& trees;
  const std::shared_ptr<StageMemory>& memory;
  NetworkFallback* fallback;                      // null: a run that a backend fails has failed
  const RunBounds* bounds;                        // null: however long it takes
  std::optional<std::uint64_t> most_copied = {};  // OptimizerOptions::max_copied_bytes
  std::uint64_t copied_bytes = 0;                 // until now
};

/// An input of a run, and how its memory may be used.
struct GivenInput {
  StageValue value;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
};

/// Where an output goes. Null data: memory is allocated.
struct WantedOutput {
  void* data = nullptr;
  std::uint64_t size_bytes = 0;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
  bool may_be_larger = false;  // the room than the output
};

/// One run through the stages of a network.
class StagedRun final : private IStageRunner {
 public:
  /// `depth` is how many networks it is within.
  explicit StagedRun(StagedRunParts& parts, std::uint32_t depth = 0)
      : parts_(parts), depth_(depth) {}

  /// The outputs; those that are wanted somewhere lie there when their size is that of the room.
  /// Errors: RunFailure, DiagnosticException, std::bad_alloc.
  std::vector<StageValue> Run(PlanTree& tree, const std::vector<GivenInput>& inputs,
                              const std::vector<WantedOutput>& wanted);

 private:
  std::vector<StageValue> RunNetwork(const std::shared_ptr<const INetworkSource>& network,
                                     const std::vector<StageValue>& inputs) override;
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
  const StageValue& Get(StageValueId id) const { return values_.at(id); }
  std::vector<StageValue> GetAll(const std::vector<StageValueId>& ids) const;
  /// Those that the steps of a stage made, without data.
  std::vector<StageValue> DescribeMade(const NetworkStage& stage) const;

  StagedRunParts& parts_;
  const std::uint32_t depth_;
  std::unordered_map<StageValueId, StageValue> values_;
  std::vector<GivenInput> inputs_;  // without data
};

/// The same value without the data of its tensors.
StageValue WithoutData(const StageValue& value);

}  // namespace backplane::staging
