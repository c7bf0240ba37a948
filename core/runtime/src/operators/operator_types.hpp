#pragma once

#include "operators/operator_inputs.hpp"
#include "operators/type_set.hpp"

#include <backplane/runtime/i_network.hpp>

#include <vector>

namespace backplane {

/// What an operator does with quantized tensors.
enum class QuantizedTensors {
  kRefused,  // nothing
  kMoved,    // moves stored values: all inputs are quantized alike, and the output as they are
  kInRange,  // calculates; results lie in the range of input 0, whose quantization the output has
             // unless another is stated
  kRequantized,  // calculates; the quantization of the output must be stated
};

/// Which data types an operator accepts, stated once, in its file. Inputs that are not quantized
/// have one data type, and so has the output.
struct OperatorTypes {
  TypeSet accepted;  // when not quantized
  QuantizedTensors quantized = QuantizedTensors::kRefused;
};

/// kWrongDataType for inputs that the operator does not accept, or that do not go together; the
/// message lists what is accepted.
void CheckInputTypes(const OperatorInputs& inputs, const OperatorTypes& types);

/// Gives the outputs, which have the data type of input 0, the type that was stated for them or
/// that follows from the inputs. `stated` has an entry for each output, or fewer.
/// Errors: DiagnosticException with kWrongDataType for a type that is stated but does not go with
/// the inputs, and for one that must be stated and is not.
void SetOutputTypes(const OperatorInputs& inputs, const OperatorTypes& types,
                    const std::vector<OutputType>& stated, std::vector<TensorInfo>& outputs);

}  // namespace backplane
