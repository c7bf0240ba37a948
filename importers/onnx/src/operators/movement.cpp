#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <limits>

namespace backplane::onnx {
namespace {

std::uint32_t ReadBlockSize(Node& node) {
  const std::int64_t size = ReadNeededInt(node, "blocksize");
  if (size < 1 || size > std::numeric_limits<std::int32_t>::max()) {
    node.RefuseAsInvalid("its blocksize is " + std::to_string(size) + "; 1 or more is expected");
  }
  return static_cast<std::uint32_t>(size);
}

DepthOrder ReadOrder(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("DCR");
  if (mode == "DCR") return DepthOrder::kBlockFirst;
  if (mode == "CRD") return DepthOrder::kChannelFirst;
  node.GetAttributes().Refuse("mode", mode, "DCR and CRD");
}

std::int64_t Broadcast(const Node& node, std::int64_t extent, std::int64_t wanted) {
  if (wanted == 1) return extent;
  if (extent == 1 || extent == wanted) return wanted;
  node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) + "; extent " +
                       std::to_string(extent) + " cannot be expanded to " + std::to_string(wanted));
}

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

void ConvertConcat(Node& node) {
  const auto axis = node.GetAttributes().FindInt("axis");
  if (!axis && node.GetOpset() >= 4) node.RefuseAsInvalid("axis is absent, but is needed");
  ConcatDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(axis.value_or(1), node.GetInputShape(0).rank);
  node.SetOutput(node.AddLayer<LayerType::kConcat>(descriptor, node.GetMovedInputs()));
}

void ConvertDepthToSpace(Node& node) {
  DepthToSpaceDescriptor descriptor;
  descriptor.block_size = ReadBlockSize(node);
  descriptor.order = ReadOrder(node);
  node.SetOutput(node.AddLayer<LayerType::kDepthToSpace>(descriptor, {node.GetMovedInput(0)}));
}

void ConvertSpaceToDepth(Node& node) {
  SpaceToDepthDescriptor descriptor;
  descriptor.block_size = ReadBlockSize(node);
  node.SetOutput(node.AddLayer<LayerType::kSpaceToDepth>(descriptor, {node.GetMovedInput(0)}));
}

// Both shapes broadcast, so that the input may be the larger one.
void ConvertExpand(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  const std::vector<std::int64_t> wanted = node.ReadConstantInts(1, "shape");
  if (wanted.size() > kMaxRank) {
    node.RefuseAsUnsupported("its shape has " + std::to_string(wanted.size()) +
                             " dimensions; at most " + std::to_string(kMaxRank) + " are supported");
  }
  const auto count = static_cast<std::uint32_t>(wanted.size());
  ExpandDescriptor descriptor;
  descriptor.rank = std::max(input.rank, count);
  for (std::uint32_t from_end = 1; from_end <= descriptor.rank; ++from_end) {
    const std::int64_t extent = from_end <= input.rank ? input[input.rank - from_end] : 1;
    descriptor.dims[descriptor.rank - from_end] =
        Broadcast(node, extent, from_end <= count ? wanted[count - from_end] : 1);
  }
  node.SetOutput(node.AddLayer<LayerType::kExpand>(descriptor, {node.GetMovedInput(0)}));
}

void ConvertIdentity(Node& node) {
  node.SetOutput(node.GetAnyValue(0));
}

void ConvertReverseSequence(Node& node) {
  ReverseSequenceDescriptor descriptor;
  descriptor.batch_axis = ReadAxis(node, 1, "batch_axis");
  descriptor.time_axis = ReadAxis(node, 0, "time_axis");
  node.SetOutput(node.AddLayer<LayerType::kReverseSequence>(
      descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

void ConvertTile(Node& node) {
  TileDescriptor descriptor;
  node.GetOpset() < 6 ? ReadOneAxis(node, descriptor) : ReadRepeats(node, descriptor);
  node.SetOutput(node.AddLayer<LayerType::kTile>(descriptor, {node.GetMovedInput(0)}));
}

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

void ConvertTrilu(Node& node) {
  TriangularPartDescriptor descriptor;
  descriptor.part =
      node.GetAttributes().GetFlag("upper", true) ? Triangle::kUpper : Triangle::kLower;
  if (node.HasInput(1)) descriptor.diagonal = node.ReadConstantInt(1, "diagonal k");
  node.SetOutput(node.AddLayer<LayerType::kTriangularPart>(descriptor, {node.GetInput(0)}));
}

// It was one of onnxruntime's own first, with the same meaning.
void ConvertMicrosoftTrilu(Node& node) {
  ConvertTrilu(node);
}

}  // namespace backplane::onnx
