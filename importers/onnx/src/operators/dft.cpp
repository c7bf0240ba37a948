#include "nodes/node.hpp"
#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
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
  if (TakeMemoryForNumbers(node, {frames.count, frames.length})) return;
  node.RefuseAsUnsupported("it has " + std::to_string(frames.count) + " frames of " +
                           std::to_string(frames.length) + " elements; at most " + GetMostMemory() +
                           " are taken for all positions of frames together");
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
  return AddBinary(node, BinaryOperation::kMul, frames, window, "/product");
}

// An attribute in operator set 17, an input from 20 on, with another default.
std::int64_t ReadTransformedAxis(Node& node) {
  if (node.GetOpset() < 20) return node.GetAttributes().FindInt("axis").value_or(1);
  return node.HasInput(2) ? node.ReadConstantInt(2, "axis") : -2;
}

/// The first half of the spectrum of real numbers, from which they are to be found.
struct HalfSpectrum {
  std::uint32_t axis = 0;
  std::int64_t length = 0;  // of the real numbers

  std::int64_t GetExtent() const { return length / 2 + 1; }
};

HalfSpectrum ReadHalfSpectrum(Node& node, const DftDescriptor& descriptor) {
  const TensorShape& shape = node.GetInputShape(0);
  const std::int64_t parts = shape.rank > 0 ? shape[shape.rank - 1] : 0;
  if (descriptor.axis + 1 >= shape.rank || parts < 1 || parts > 2) {
    node.RefuseAsInvalid("its input is " + ToText(shape) + " and its axis " +
                         std::to_string(descriptor.axis) +
                         "; a last axis of 1 or 2, and an axis before it, are expected");
  }
  const std::int64_t extent = shape[descriptor.axis];
  const std::int64_t length = descriptor.length == 0 ? 2 * (extent - 1) : descriptor.length;
  if (length >= 1) return {descriptor.axis, length};
  node.RefuseAsInvalid("its input is " + ToText(shape) + "; half of a spectrum has at least 2 " +
                       "elements where dft_length does not say of how many numbers it is");
}

// What is missing is 0, what is too much is cut off.
OutputSlot AddExtent(Node& node, OutputSlot input, const HalfSpectrum& half) {
  PadDescriptor descriptor;
  descriptor.pads_end[half.axis] = half.GetExtent() - node.GetInfo(input).shape[half.axis];
  if (descriptor.pads_end[half.axis] == 0) return input;
  return node.AddLayer<LayerType::kPad>(descriptor, {input}, "/half");
}

// Elements are the conjugates of those that lie as far from the other end.
OutputSlot AddOtherHalf(Node& node, OutputSlot input, const HalfSpectrum& half) {
  const TensorInfo info = node.GetInfo(input);
  const std::int64_t count = half.length - half.GetExtent();
  const OutputSlot mirrored = AddSlice(node, input, half.axis, count, count, "/mirrored", -1);
  if (info.shape[info.shape.rank - 1] == 1) return mirrored;
  const OutputSlot signs = AddNumbers(node, TensorInfo({2}, info.data_type), {1, -1}, "/signs");
  return AddBinary(node, BinaryOperation::kMul, mirrored, signs, "/conjugates");
}

// The whole spectrum is transformed back; its imaginary parts are those of rounding.
void ConvertToReal(Node& node, const DftDescriptor& stated) {
  const HalfSpectrum half = ReadHalfSpectrum(node, stated);
  OutputSlot spectrum = AddExtent(node, node.GetInput(0), half);
  if (half.length > half.GetExtent()) {
    spectrum =
        AddConcat(node, {spectrum, AddOtherHalf(node, spectrum, half)}, half.axis, "/spectrum");
  }
  DftDescriptor descriptor;
  descriptor.axis = half.axis;
  descriptor.is_inverse = 1;
  const OutputSlot complex = node.AddLayer<LayerType::kDft>(descriptor, {spectrum}, "/complex");
  node.SetOutput(AddSlice(node, complex, node.GetInfo(complex).shape.rank - 1, 0, 1, ""));
}

}  // namespace

void ConvertDFT(Node& node) {
  Attributes& attributes = node.GetAttributes();
  DftDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(ReadTransformedAxis(node), node.GetInputShape(0).rank);
  descriptor.is_inverse = attributes.GetFlag("inverse") ? 1 : 0;
  descriptor.is_one_sided = attributes.GetFlag("onesided") ? 1 : 0;
  if (node.HasInput(1)) {
    descriptor.length = node.ReadConstantInt(1, "dft_length");
    if (descriptor.length < 1) {
      node.RefuseAsInvalid("dft_length is " + std::to_string(descriptor.length) +
                           "; 1 or more is expected");
    }
  }
  if (descriptor.is_inverse == 1 && descriptor.is_one_sided == 1) {
    return ConvertToReal(node, descriptor);
  }
  node.SetOutput(node.AddLayer<LayerType::kDft>(descriptor, {node.GetInput(0)}));
}

void ConvertSTFT(Node& node) {
  const Frames frames = ReadFrames(node);
  OutputSlot framed = AddFrames(node, frames);
  if (node.HasInput(2)) framed = AddWindow(node, framed, frames.length);
  DftDescriptor descriptor;
  descriptor.axis = 2;
  descriptor.is_one_sided = node.GetAttributes().GetFlag("onesided", true) ? 1 : 0;
  node.SetOutput(node.AddLayer<LayerType::kDft>(descriptor, {framed}));
}

}  // namespace backplane::onnx
