#pragma once

#include "graph/graph.hpp"
#include "graph/operator_inputs.hpp"
#include "graph/operator_types.hpp"

#include <backplane/api/layer_type.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// For each operator of layers.def, Infer<name> checks the descriptor and the shapes, and gives the
/// outputs, with the data type of input 0. The caller has checked the number and the types of the
/// inputs, and checks the size of what comes out.
/// Errors: DiagnosticException with kWrongRank, kWrongShape, kWrongDataType, kInvalidDescriptor or
/// kTensorTooLarge.
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor, aliasing, documentation)                          \
  std::vector<TensorInfo> Infer##name(const OperatorInputs& inputs, const descriptor&);
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER

/// Which data types an operator accepts when that depends on its descriptor.
#define BACKPLANE_TYPES(...)
#define BACKPLANE_TYPES_BY_DESCRIPTOR(name) \
  OperatorTypes GetTypesOf##name(const DescriptorOf<LayerType::k##name>::Type&);
#include "graph/accepted_types.def"
#undef BACKPLANE_TYPES
#undef BACKPLANE_TYPES_BY_DESCRIPTOR

/// The outputs of a layer, by what is above for its type, which is an operator's; `layer` has its
/// descriptor. `stated` is what is known of the types of the outputs besides.
/// Errors: as the functions above.
std::vector<TensorInfo> InferOutputs(const Layer& layer, const OperatorInputs& inputs,
                                     const std::vector<OutputType>& stated);

/// A copy of `source`, with what it points to, as these headers know the descriptor of an operator
/// type.
/// Errors: std::invalid_argument for attributes of a custom layer that cannot be.
std::shared_ptr<const BaseDescriptor> CopyOperatorDescriptor(LayerType type,
                                                             const BaseDescriptor& source);

}  // namespace backplane
