#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

// An attribute until operator set 12, an input from 13 on, and also an input in 1.
std::optional<std::vector<std::int64_t>> FindExtents(Node& node) {
  if (node.HasInput(1)) return node.ReadConstantInts(1, "split");
  if (node.GetOpset() >= 13) return {};
  return node.GetAttributes().FindInts("split");
}

// Since operator set 18 their number is stated as well, and the last part may be smaller. Gives
// whether it is stated.
bool CheckNumOutputs(Node& node, std::int64_t count) {
  const auto stated = node.GetAttributes().FindInt("num_outputs");
  if (!stated) return false;
  if (*stated != count) {
    node.RefuseAsInvalid("num_outputs is " + std::to_string(*stated) + ", but it has " +
                         std::to_string(count) + " outputs");
  }
  return true;
}

// Where nothing is stated, the parts are equal.
std::vector<std::int64_t> MakeEqualExtents(Node& node, std::uint32_t axis) {
  const TensorShape& shape = node.GetInputShape(0);
  const auto count = static_cast<std::int64_t>(node.GetNumOutputs());
  if (count > 0 && CheckNumOutputs(node, count)) return SplitNearlyEqually(shape[axis], count);
  if (count == 0 || shape[axis] % count != 0) {
    node.RefuseAsInvalid("its input is " + ToText(shape) + "; axis " + std::to_string(axis) +
                         " cannot be taken apart into " + std::to_string(count) + " equal parts");
  }
  return std::vector<std::int64_t>(node.GetNumOutputs(), shape[axis] / count);
}

void CheckPartCount(const Node& node, std::size_t num_parts) {
  if (num_parts != node.GetNumOutputs()) {
    node.RefuseAsInvalid("split has " + std::to_string(num_parts) + " values; " +
                         std::to_string(node.GetNumOutputs()) +
                         " are expected, one for each output");
  }
  if (num_parts > kMaxSplitParts) {
    node.RefuseAsInvalid("it has " + std::to_string(num_parts) + " outputs; at most " +
                         std::to_string(kMaxSplitParts) + " are supported");
  }
}

}  // namespace

void ConvertSplit(Node& node) {
  SplitDescriptor descriptor;
  descriptor.axis = ReadAxis(node, 0);
  const auto found = FindExtents(node);
  const auto extents = found ? *found : MakeEqualExtents(node, descriptor.axis);
  CheckPartCount(node, extents.size());
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  const OutputSlot first = node.AddLayer<LayerType::kSplit>(descriptor, {node.GetMovedInput(0)});
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    node.SetOutput(part, {first.layer, part});
  }
}

}  // namespace backplane::onnx
