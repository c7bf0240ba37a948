#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/i_network.hpp>

#include <cstddef>
#include <string>
#include <vector>

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

/// Gives the layer the outputs that follow from its inputs, its descriptor and what is stated of
/// their types.
/// Errors: as InferOutputs; kTensorTooLarge; kInvalidDescriptor for more outputs stated than the
/// layer has.
void SetOperatorOutputs(Layer& layer, const std::vector<const TensorInfo*>& inputs,
                        const std::vector<OutputType>& stated = {});

/// Checks a tensor that a layer gives: data type known, rank and extents in range, size fits an
/// int64_t, quantisation consistent. `role` names it in messages, for example "the output".
/// Errors: DiagnosticException with kWrongDataType, kWrongRank, kWrongShape or kTensorTooLarge.
void CheckTensor(const Layer& layer, const TensorInfo& info, const std::string& role);

/// Checks the content of a constant of this description.
/// Errors: DiagnosticException with kInvalidDescriptor when it is null or not aligned for its type.
void CheckConstantData(const Layer& layer, const TensorInfo& info, const void* data);

}  // namespace backplane
