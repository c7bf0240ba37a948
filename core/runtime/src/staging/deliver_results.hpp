#pragma once

#include "execution/check_bindings.hpp"
#include "execution/transfer_counters.hpp"
#include "staging/stage_memory.hpp"
#include "staging/staged_run.hpp"

#include <vector>

namespace backplane::staging {

/// What a run was given, in the order of the bindings. They are right.
std::vector<GivenInput> TakeInputs(const NetworkBindings& network, const InputTensors& inputs);
std::vector<WantedOutput> TakeOutputs(const NetworkBindings& network, const OutputTensors& outputs);

/// Puts results where they are wanted, says what they are, and counts what is copied.
/// Errors: DiagnosticException with kWrongTensorBinding for room that is too small, kImportRefused
/// for an output with MemoryUse::kImport that has to be copied.
void Deliver(const NetworkBindings& network, std::vector<StageValue> results,
             const OutputTensors& wanted, StageMemory& memory, TransferLedger& ledger);

}  // namespace backplane::staging
