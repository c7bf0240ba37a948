#pragma once

/// Layers as text: for people, and as C++.

#include "conformance/test_layer.hpp"
#include "conformance/typed_tensor.hpp"

#include <string>
#include <vector>

namespace backplane::check_backend {

/// "int8 [2, 3], scale 0.5, zero point -3".
std::string DescribeTensor(const TensorInfo& info);

/// "Pooling (method kAverage, kernel {2, 1, 1}) of float32 [1, 1, 4] to float32 [1, 1, 3]": the
/// fields of the descriptor that are not their defaults.
std::string DescribeLayer(const conformance::TestLayer& layer);

/// The layer with a value that its enumeration does not have, once for each field of the descriptor
/// that is an enumeration.
std::vector<conformance::TestLayer> ListUnknownValues(const conformance::TestLayer& layer);

/// The bytes of the descriptor of a type, with all defaults. Empty for an unknown type.
std::vector<unsigned char> MakeDefaultDescriptor(LayerType type);

/// Lines that declare `descriptor`, `inputs` and `outputs` (of TensorInfo), and `content`, one
/// vector of bytes for each input.
std::string WriteLayerCode(const conformance::TestLayer& layer,
                           const std::vector<conformance::StoredTensor>& inputs);

/// A whole program that opens the backend, makes the layer's workload and does what `steps` says
/// with `workload`, `state`, `input_handles` and `output_handles`.
std::string WriteProgram(const std::string& path, const conformance::TestLayer& layer,
                         const std::vector<conformance::StoredTensor>& inputs,
                         const std::string& steps);

}  // namespace backplane::check_backend
