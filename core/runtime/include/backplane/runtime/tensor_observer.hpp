#pragma once

/// Tensors inside of a network that runs, and the same layers with other tensors; for finding the
/// layer that makes a result wrong.

#include <backplane/api/layer_type.hpp>
#include <backplane/runtime/export.hpp>
#include <backplane/runtime/i_network.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// An output of a layer that has just run.
struct ObservedTensor {
  OutputSlot origin;                       // the tensor of the application's network that it is
  std::string network;                     // its name
  std::string layer;                       // its name in the plan, or "#3"
  LayerType type = LayerType::kUndefined;  // kPreCompiled for what a backend compiled
  std::string backend_id;
  TensorInfo info;
  /// Dense, info.GetSizeBytes() bytes, until the call returns. Null: it cannot be read.
  const void* data = nullptr;
  std::string fault;  // why not; completes "whose memory"
};

/// Is called after each layer with each of its outputs, on the thread of the run. Tensors inside of
/// what a backend made of several layers are not seen. Must not throw.
using TensorObserver = std::function<void(const ObservedTensor&)>;

/// A copy of a network in which whatever reads one of these tensors reads an input instead, and
/// each of them is an output: every part between them runs by itself. The inputs are those of the
/// network and then one for each tensor; the outputs are the tensors. Constants are shared, hints
/// left out.
/// Errors: DiagnosticException with kUnknownTensor.
/// [any thread]
BACKPLANE_RUNTIME_API std::unique_ptr<INetwork> CutNetwork(const INetwork& network,
                                                           const std::vector<OutputSlot>& tensors);

/// A copy of a network whose outputs are these tensors. Constants are shared, hints left out.
/// Errors: DiagnosticException with kUnknownTensor.
/// [any thread]
BACKPLANE_RUNTIME_API std::unique_ptr<INetwork> ExposeTensors(
    const INetwork& network, const std::vector<OutputSlot>& tensors);

}  // namespace backplane
