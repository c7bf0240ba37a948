#pragma once

#include "execution/run_limit.hpp"
#include "staging/plan_trees.hpp"
#include "staging/stage_memory.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::staging {

/// Ends a run: what went wrong was said already, or it is out of time.
struct RunFailure {
  Status status = Status::kFailure;
  std::optional<Diagnostic> diagnostic;  // null: not told
};

/// Runs the network of one stage, as IRuntime::EnqueueWorkload.
using StageExecutor =
    std::function<Status(NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, std::optional<Diagnostic>* failure)>;

/// What all networks of a run share.
struct StagedRunParts {
  PlanTrees& trees;
  const std::shared_ptr<StageMemory>& memory;
  const StageExecutor& execute;
  const RunLimit* limit;  // null: however long it takes
};

/// An input of a run, and how its memory may be used.
struct GivenInput {
  StageValue value;
  MemoryUse use = MemoryUse::kImportElseCopy;
};

/// Where an output goes. Null data: memory is allocated.
struct WantedOutput {
  void* data = nullptr;
  std::uint64_t size_bytes = 0;
  MemoryUse use = MemoryUse::kImportElseCopy;
};

/// One run through the stages of a network.
class StagedRun final : private IStageRunner {
 public:
  /// `depth` is how many networks it is within.
  explicit StagedRun(const StagedRunParts& parts, std::uint32_t depth = 0)
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

  void RunStageNetwork(Plan& plan, const std::vector<WantedOutput>& wanted);
  void RunSteps(const Plan& plan);
  /// Errors: as IStageOperation::Run; kStageFailed for any other exception.
  std::vector<StageValue> RunOperation(const IStageOperation& operation,
                                       const std::vector<StageValue>& inputs);
  const StageValue& Get(StageValueId id) const { return values_.at(id); }
  std::vector<StageValue> GetAll(const std::vector<StageValueId>& ids) const;
  /// Those that the steps of a stage made, without data.
  std::vector<StageValue> DescribeMade(const NetworkStage& stage) const;

  const StagedRunParts parts_;
  const std::uint32_t depth_;
  std::unordered_map<StageValueId, StageValue> values_;
  std::vector<MemoryUse> input_uses_;
};

/// The same value without the data of its tensors.
StageValue WithoutData(const StageValue& value);

}  // namespace backplane::staging
