#pragma once

#include "staging/staged_run.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::staging {

/// What a run of a network with open extents was given, in the order of its bindings.
struct OpenBindings {
  std::vector<GivenInput> inputs;
  std::vector<WantedOutput> outputs;
};

/// Errors: DiagnosticException with kWrongTensorBinding, with all that is wrong.
OpenBindings TakeBindings(const std::string& network, const std::vector<OpenBinding>& inputs,
                          const std::vector<OpenBinding>& outputs, const InputTensors& given,
                          const OutputTensors& wanted);

/// Errors: DiagnosticException with kWrongTensorBinding for values that are not what the bindings
/// allow.
void RequireAnnounced(const std::string& network, const std::vector<OpenBinding>& inputs,
                      const std::vector<StageValue>& values);

/// Whether a value is what a binding with open extents allows.
bool Agrees(const OpenBinding& binding, const StageValue& value);

/// Puts results where they are wanted, and says what they are.
/// Errors: DiagnosticException with kWrongTensorBinding for room that is too small.
void Deliver(const std::string& network, const std::vector<OpenBinding>& outputs,
             std::vector<StageValue> results, const OutputTensors& wanted);

/// The value with memory of its own in place of what it has only borrowed, which nobody may be
/// given: what the application gave is never an input of what is made outside of the runtime.
StageValue CopyBorrowed(const StageValue& value, StageMemory& memory);

/// The same for what the application is given, which may write to a tensor: that gets memory of its
/// own also where somebody else has a share in it.
StageValue CopyShared(const StageValue& value, StageMemory& memory);

}  // namespace backplane::staging
