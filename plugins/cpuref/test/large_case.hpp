#pragma once

/// For layers that are too large to be run in every data type.

#include "test/every_layer.hpp"

namespace backplane {
namespace cpuref_test {

inline std::vector<TensorInfo> MakeFloat32(const std::vector<TensorShape>& shapes,
                                           const std::vector<OwnTensor>& own_tensors) {
  std::vector<TensorInfo> infos;
  for (std::size_t index = 0; index < shapes.size(); ++index) {
    const OwnTensor* own = FindOwn(own_tensors, index);
    infos.emplace_back(shapes[index], own != nullptr ? own->data_type : DataType::kFloat32);
  }
  return infos;
}

/// Runs a layer with random float32 values, and expects what its oracle says.
inline void ExpectAsOracle(const Oracle& oracle, const LayerCase& layer, Random& random) {
  TestLayer made(layer.type, *layer.descriptor, {}, {});
  made.inputs = MakeFloat32(layer.inputs, layer.own_inputs);
  made.outputs = MakeFloat32(layer.outputs, layer.own_outputs);
  const std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
  const std::vector<StoredTensor> outputs =
      RunStoredForAll(layer.type, *layer.descriptor, inputs, made.outputs);
  Operands<long double> operands;
  for (const StoredTensor& input : inputs) operands.push_back(Decode<long double>(input));
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    SCOPED_TRACE("output " + std::to_string(output));
    ExpectStored(outputs[output], oracle.evaluate_reals(layer, operands, output));
  }
}

}  // namespace cpuref_test
}  // namespace backplane
