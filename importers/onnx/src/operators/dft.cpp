#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/memory_budget.hpp"
#include "tensors/shape.hpp"

#include <vector>

namespace backplane::onnx {
namespace {

// The frames of a signal: how long, and where they begin.
struct Frames {
  std::int64_t length = 0;
  std::int64_t step = 0;
  std::int64_t count = 0;
};

// As long as the window, unless their length is stated.
Frames ReadFrames(Node& node) {
  Frames frames;
  frames.step = node.ReadConstantInt(1, "frame_step");
  if (node.HasInput(3)) {
    frames.length = node.ReadConstantInt(3, "frame_length");
  } else if (node.HasInput(2)) {
    frames.length = node.GetInputShape(2).GetNumElements();
  } else {
    node.RefuseAsInvalid("it has neither a window nor a frame_length");
  }
  const TensorShape& signal = node.GetInputShape(0);
  if (signal.rank != 3 || frames.step < 1 || frames.length < 1 || frames.length > signal[1]) {
    node.RefuseAsInvalid("its signal is " + ToText(signal) + " with frames of " +
                         std::to_string(frames.length) + " every " + std::to_string(frames.step) +
                         "; rank 3, and frames of 1 element or more that fit it, are expected");
  }
  if (node.HasInput(2) && node.GetInputShape(2).GetNumElements() != frames.length) {
    node.RefuseAsInvalid("its window is " + ToText(node.GetInputShape(2)) + "; " +
                         std::to_string(frames.length) + " elements are expected");
  }
  frames.count = (signal[1] - frames.length) / frames.step + 1;
  return frames;
}

void CheckMemory(Node& node, const Frames& frames) {
  std::uint64_t count = 0;
  if (!__builtin_mul_overflow(frames.count, frames.length, &count) &&
      count < MemoryBudget::kMaxBytes && node.TakeMemory(count * sizeof(std::int64_t))) {
    return;
  }
  node.RefuseAsUnsupported("it has " + std::to_string(frames.count) + " frames of " +
                           std::to_string(frames.length) + " elements; at most " +
                           std::to_string(MemoryBudget::kMaxBytes) +
                           " bytes are taken for all positions of frames together");
}

// [N, signal, parts] becomes [N, frames, elements, parts].
OutputSlot AddFrames(Node& node, const Frames& frames) {
  CheckMemory(node, frames);
  std::vector<std::int64_t> indices;
  for (std::int64_t frame = 0; frame < frames.count; ++frame) {
    for (std::int64_t i = 0; i < frames.length; ++i) indices.push_back(frame * frames.step + i);
  }
  const OutputSlot places = node.AddConstant({{frames.count, frames.length}, DataType::kInt64},
                                             indices.data(), "/places");
  GatherDescriptor descriptor;
  descriptor.axis = 1;
  return node.AddLayer<LayerType::kGather>(descriptor, {node.GetInput(0), places}, "/frames");
}

OutputSlot AddWindow(Node& node, OutputSlot frames, std::int64_t length) {
  const OutputSlot window = node.AddReshape(node.GetInput(2), {length, 1}, "/window");
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = BinaryOperation::kMul;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {frames, window}, "/product");
}

// An attribute in operator set 17, an input from 20 on, with another default.
std::int64_t ReadTransformedAxis(Node& node) {
  if (node.GetOpset() < 20) return node.GetAttributes().FindInt("axis").value_or(1);
  return node.HasInput(2) ? node.ReadConstantInt(2, "axis") : -2;
}

}  // namespace

void ConvertDFT(Node& node) {
  Attributes& attributes = node.GetAttributes();
  DftDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(ReadTransformedAxis(node), node.GetInputShape(0).rank);
  descriptor.is_inverse = attributes.FindInt("inverse").value_or(0) != 0 ? 1 : 0;
  descriptor.is_one_sided = attributes.FindInt("onesided").value_or(0) != 0 ? 1 : 0;
  if (node.HasInput(1)) {
    descriptor.length = node.ReadConstantInt(1, "dft_length");
    if (descriptor.length < 1) {
      node.RefuseAsInvalid("dft_length is " + std::to_string(descriptor.length) +
                           "; 1 or more is expected");
    }
  }
  node.SetOutput(node.AddLayer<LayerType::kDft>(descriptor, {node.GetInput(0)}));
}

void ConvertSTFT(Node& node) {
  const Frames frames = ReadFrames(node);
  OutputSlot framed = AddFrames(node, frames);
  if (node.HasInput(2)) framed = AddWindow(node, framed, frames.length);
  DftDescriptor descriptor;
  descriptor.axis = 2;
  const bool is_one_sided = node.GetAttributes().FindInt("onesided").value_or(1) != 0;
  descriptor.is_one_sided = is_one_sided ? 1 : 0;
  node.SetOutput(node.AddLayer<LayerType::kDft>(descriptor, {framed}));
}

}  // namespace backplane::onnx
