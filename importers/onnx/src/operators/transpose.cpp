#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {

void ConvertTranspose(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  const auto stated = node.GetAttributes().FindInts("perm");
  if (stated && stated->size() != input.rank) {
    node.RefuseAsInvalid("its perm has " + std::to_string(stated->size()) +
                         " axes, but its input is " + ToText(input));
  }
  TransposeDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    // Without a permutation, the order is reversed.
    descriptor.permutation[axis] =
        stated ? node.ResolveAxis((*stated)[axis], input.rank) : input.rank - 1 - axis;
  }
  node.SetOutput(node.AddLayer<LayerType::kTranspose>(descriptor, {node.GetMovedInput(0)}));
}

}  // namespace backplane::onnx
