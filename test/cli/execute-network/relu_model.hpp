#pragma once

/// An ONNX model of one Relu whose name the test gives, written without a library.

#include <string>

namespace backplane::test {

/// A field of a protobuf message that has a length.
inline std::string MakeField(int number, const std::string& content) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  std::size_t rest = content.size();
  for (; rest > 127; rest >>= 7U) field += static_cast<char>(rest | 0x80U);
  return field + static_cast<char>(rest) + content;
}

/// A field that is a small number.
inline std::string MakeNumber(int number, char value) {
  return {static_cast<char>(number << 3), value};
}

/// Floats; a vector of four unless its dimension says otherwise.
inline std::string MakeValueInfo(const std::string& name,
                                 const std::string& dimension = MakeNumber(1, 4)) {
  const std::string shape = MakeField(1, dimension);
  const std::string tensor_type = MakeNumber(1, 1) + MakeField(2, shape);
  return MakeField(1, name) + MakeField(2, MakeField(1, tensor_type));
}

/// `x` -> operator -> `y`, both of one dimension.
inline std::string MakeModelOf(const std::string& op_type, const std::string& layer_name,
                               const std::string& dimension = MakeNumber(1, 4)) {
  const std::string node =
      MakeField(1, "x") + MakeField(2, "y") + MakeField(3, layer_name) + MakeField(4, op_type);
  const std::string graph = MakeField(1, node) + MakeField(2, "chain") +
                            MakeField(11, MakeValueInfo("x", dimension)) +
                            MakeField(12, MakeValueInfo("y", dimension));
  return MakeNumber(1, 8) + MakeField(7, graph) + MakeField(8, MakeNumber(2, 13));
}

inline std::string MakeReluModel(const std::string& layer_name) {
  return MakeModelOf("Relu", layer_name);
}

}  // namespace backplane::test
