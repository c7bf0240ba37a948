#pragma once

#include "network/graph.hpp"

#include <cstddef>

namespace backplane {

/// Checks that the type of a new layer is an operator's.
/// Errors: DiagnosticException with kUnknownLayerType.
void CheckOperatorType(const Layer& layer);

/// Checks the number of inputs against the row of the layer's type.
/// Errors: DiagnosticException with kWrongInputCount.
void CheckInputCount(const Layer& layer, std::size_t num_inputs);

/// Gives the layer a copy of the descriptor.
/// Errors: DiagnosticException with kInvalidDescriptor for a size that these headers do not know.
void SetOperatorDescriptor(Layer& layer, const BaseDescriptor& descriptor);

/// Gives the layer the outputs that follow from its inputs and its descriptor.
/// Errors: as InferOutputs; kTensorTooLarge.
void SetOperatorOutputs(Layer& layer, const std::vector<const TensorInfo*>& inputs);

/// Checks the content of a constant of this description.
/// Errors: DiagnosticException with kInvalidDescriptor when it is null or not aligned for its type.
void CheckConstantData(const Layer& layer, const TensorInfo& info, const void* data);

}  // namespace backplane
