#pragma once

#include "execution/check_bindings.hpp"
#include "execution/transfer_counters.hpp"
#include "loading/growing_tensors.hpp"
#include "loading/stage_memory.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace backplane::loading {

/// Whether one of them lies in larger memory.
bool HaveMemoryShapes(const InputTensors& inputs, const OutputTensors& outputs);

/// The inputs that lie in the memory of an output, and may stay there.
std::vector<GrowingTensor> FindGrowing(const InputTensors& inputs, const OutputTensors& outputs);

/// The tensors of a run, with dense copies of those that lie in larger memory.
class DenseTensors {
 public:
  /// Copies inputs. Those of `growing` stay where they are. Borrows all.
  DenseTensors(const InputTensors& inputs, const OutputTensors& outputs,
               const std::vector<GrowingTensor>& growing, StageMemory& memory,
               TransferLedger& ledger);

  const InputTensors& GetInputs() const { return inputs_; }
  const OutputTensors& GetOutputs() const { return outputs_; }

  /// Copies outputs after the run.
  /// Errors: DiagnosticException with kWrongTensorBinding for one that is larger than its memory;
  /// nothing is copied then.
  void Deliver(const NetworkBindings& network);

 private:
  struct Copied {
    const OutputTensor* wanted = nullptr;
    ResultTensor result;
  };

  StageMemory& memory_;
  TransferLedger& ledger_;
  InputTensors inputs_;
  OutputTensors outputs_;
  std::vector<std::shared_ptr<void>> kept_;  // of inputs
  std::deque<Copied> copied_;
};

}  // namespace backplane::loading
