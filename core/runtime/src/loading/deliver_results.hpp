#pragma once

#include "execution/check_bindings.hpp"
#include "execution/transfer_counters.hpp"
#include "loading/stage_memory.hpp"
#include "loading/staged_run.hpp"

#include <vector>

namespace backplane::loading {

/// What a run was given, in the order of the bindings. They are right.
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
