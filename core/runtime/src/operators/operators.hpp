#pragma once

#include "network/graph.hpp"
#include "operators/operator_inputs.hpp"

#include <backplane/api/layer_type.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// For each operator of layers.def: checks the descriptor and the inputs, and gives the outputs.
/// The caller has checked the number of inputs, and checks the size of what comes out.
/// Errors: DiagnosticException with kWrongRank, kWrongShape, kWrongDataType, kInvalidDescriptor or
/// kTensorTooLarge.
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor, aliasing, documentation)                          \
  std::vector<TensorInfo> Infer##name(const OperatorInputs& inputs, const descriptor&);
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER

/// The function above of the layer's type, which is an operator's; `layer` has its descriptor.
std::vector<TensorInfo> InferOutputs(const Layer& layer, const OperatorInputs& inputs);

/// A copy of `source` as these headers know the descriptor of an operator type.
std::shared_ptr<const BaseDescriptor> CopyOperatorDescriptor(LayerType type,
                                                             const BaseDescriptor& source);

}  // namespace backplane
