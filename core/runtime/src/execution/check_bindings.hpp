#pragma once

#include "execution/execution_plan.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/network_source.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// The inputs and outputs of a network, with open extents or fixed ones.
struct NetworkBindings {
  std::string network;
  std::vector<OpenBinding> inputs;
  std::vector<OpenBinding> outputs;
  bool may_import = false;  // whether memory that ImportTensor prepared can be used
};

/// Whether a value is what a binding allows.
bool Agrees(const OpenBinding& binding, const StageValue& value);

/// The value that is given for an input. Memory of a tensor is borrowed.
StageValue GetGivenValue(const InputTensor& input);

/// Whether every input and every output of the plan is given exactly once, and fits: what a run
/// looks at. FindWrongBindings says what is wrong.
bool AreBindingsRight(const ExecutionPlan& plan, const InputTensors& inputs,
                      const OutputTensors& outputs, std::vector<std::uint8_t>& marks);

/// All that is wrong with what a run is given: kWrongTensorBinding. Nothing: all is right.
std::optional<Diagnostic> FindWrongBindings(const NetworkBindings& network,
                                            const InputTensors& inputs,
                                            const OutputTensors& outputs);

/// Looks at the results of a run and the room given for them: kWrongTensorBinding. Nothing: all is
/// right.
std::optional<Diagnostic> FindWrongResults(const NetworkBindings& network,
                                           const std::vector<StageValue>& results,
                                           const OutputTensors& wanted);

/// Looks at an output that goes into larger memory: kWrongTensorBinding when it does not fit there.
std::optional<Diagnostic> FindTooLarge(const NetworkBindings& network, const OutputTensor& output,
                                       const TensorInfo& result);

/// Looks at announced inputs: kWrongTensorBinding. Nothing: all is right.
std::optional<Diagnostic> FindWrongAnnounced(const NetworkBindings& network,
                                             const std::vector<StageValue>& values);

}  // namespace backplane
