#include "operators/required_shape.hpp"

#include "tensors/shape.hpp"

namespace backplane::onnx {

void RequireRank(const Node& node, std::size_t index, std::uint32_t rank, const char* meaning) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape.rank == rank) return;
  node.RefuseAsInvalid(std::string(meaning) + " is " + ToText(shape) + "; " + std::to_string(rank) +
                       " axes are expected");
}

void RequireShape(const Node& node, std::size_t index, const TensorShape& expected,
                  const std::string& meaning) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape == expected) return;
  node.RefuseAsInvalid(meaning + " is " + ToText(shape) + "; " + ToText(expected) + " is expected");
}

void RequireShape(const Node& node, std::size_t index, const TensorShape& expected) {
  RequireShape(node, index, expected, "its input " + std::to_string(index));
}

}  // namespace backplane::onnx
