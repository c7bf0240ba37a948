#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

// Until operator set 5, one axis and how often it is repeated.
void ReadOneAxis(Node& node, TileDescriptor& descriptor) {
  const auto to_int = [&](std::size_t index, const std::string& meaning) {
    const std::vector<double> numbers = node.ReadConstantReals(index, meaning);
    if (numbers.size() != 1) node.RefuseAsInvalid("its " + meaning + " is not one number");
    return static_cast<std::int64_t>(numbers[0]);
  };
  const std::uint32_t axis = node.ResolveAxis(to_int(2, "axis"), node.GetInputShape(0).rank);
  descriptor.repeats[axis] = to_int(1, "tiles");
}

void ReadRepeats(Node& node, TileDescriptor& descriptor) {
  const TensorShape& input = node.GetInputShape(0);
  const std::vector<std::int64_t> repeats = node.ReadConstantInts(1, "repeats");
  if (repeats.size() != input.rank) {
    node.RefuseAsInvalid("it has " + std::to_string(repeats.size()) +
                         " repeats, but its input is " + ToText(input));
  }
  std::copy(repeats.begin(), repeats.end(), descriptor.repeats);
}

}  // namespace

void ConvertTile(Node& node) {
  TileDescriptor descriptor;
  node.GetOpset() < 6 ? ReadOneAxis(node, descriptor) : ReadRepeats(node, descriptor);
  node.SetOutput(node.AddLayer<LayerType::kTile>(descriptor, {node.GetMovedInput(0)}));
}

}  // namespace backplane::onnx
