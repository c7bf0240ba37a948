#pragma once

/// A small layer of every operator, with what its oracle says, independently, of its data types.

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <set>
#include <vector>

namespace backplane {

using Types = std::set<DataType>;

/// What an operator must do with quantized values.
enum class WithQuantized {
  kRefused,
  kMoved,        // the output has the quantization of the input, and no other
  kInRange,      // likewise, unless another is stated
  kRequantized,  // the quantization of the output must be stated
  kInput,        // calculates with them; the output has a type of its own
};

struct PlainInput {
  TensorShape shape;
  DataType own_type = DataType::kUndefined;  // not that of the values
};

struct PlainLayer {
  /// Adds it to a network of its own, with values of a type; gives its first output.
  /// Errors: as INetwork::AddOperatorLayer.
  TensorInfo Infer(DataType values, const QuantizationInfo& quantization = {},
                   const std::vector<OutputType>& stated = {}) const;

  LayerType type = LayerType::kUndefined;
  std::shared_ptr<BaseDescriptor> descriptor;
  std::shared_ptr<const void> owner;  // of what the descriptor points to, if that is another
  std::vector<PlainInput> inputs;
  Types accepted;  // as values, when not quantized
  WithQuantized quantized = WithQuantized::kRequantized;
  DataType own_output = DataType::kUndefined;  // the first output has this type, whatever comes in
};

/// One for each operator of layers.def: the first case of its oracle.
std::vector<PlainLayer> MakePlainLayers();

}  // namespace backplane
