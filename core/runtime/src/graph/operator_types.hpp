#pragma once

#include "graph/operator_inputs.hpp"
#include "graph/type_set.hpp"

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

/// An input whose data type is not that of the values: indices, conditions, lengths. Never
/// quantized.
struct OwnInputType {
  std::uint32_t input = 0;
  TypeSet accepted;
};

/// Where the type of an output comes from when it is not that of the values.
enum class OutputRule {
  kFixed,            // `data_type`, not quantized
  kStatedQuantized,  // the OutputType that was stated, which must have scales
  kRestated,         // data type of the values, with the quantization that was stated, or none
};

struct OwnOutputType {
  std::uint32_t output = 0;
  OutputRule rule = OutputRule::kFixed;
  DataType data_type = DataType::kUndefined;  // only for kFixed
};

/// Which data types an operator accepts, stated once, in accepted_types.def. Tensors are values
/// unless they are listed with a type of their own. Values that are not quantized have one data
/// type, and so have the outputs that are values.
struct OperatorTypes {
  TypeSet accepted;  // for values, when not quantized
  QuantizedTensors quantized = QuantizedTensors::kRefused;
  std::vector<OwnInputType> own_inputs = {};
  std::vector<OwnOutputType> own_outputs = {};
};

/// kWrongDataType for inputs that the operator does not accept, or that do not go together; the
/// message lists what is accepted.
void CheckInputTypes(const OperatorInputs& inputs, const OperatorTypes& types);

/// Gives the outputs the type that was stated for them or that follows from the inputs: for values,
/// that of the first input that is one. `stated` has an entry for each output, or fewer.
/// Errors: DiagnosticException with kWrongDataType for a type that is stated but does not go with
/// the inputs, and for one that must be stated and is not.
void SetOutputTypes(const OperatorInputs& inputs, const OperatorTypes& types,
                    const std::vector<OutputType>& stated, std::vector<TensorInfo>& outputs);

}  // namespace backplane
