#include "conformance/limits.hpp"
#include "conformance/window_oracle.hpp"

#include <backplane/api/descriptors/fold_windows.hpp>

namespace backplane {
namespace conformance {
namespace fold_windows {

LayerCase MakeFold(const FoldWindowsDescriptor& descriptor, const TensorShape& input,
                   const TensorShape& output) {
  return MakeCase(LayerType::kFoldWindows, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t rank = 1; rank <= kMaxSpatialRank; ++rank) {
    FoldWindowsDescriptor descriptor;
    descriptor.spatial_rank = rank;
    const std::int64_t num_channels = random.Integer(1, 2);
    TensorShape input = {random.Integer(1, 2), num_channels, 1};
    TensorShape output = {input[0], num_channels};
    for (std::uint32_t i = 0; i < rank; ++i) {
      descriptor.kernel[i] = random.Word(1, 3);
      descriptor.extents[i] = random.Integer(5, 6);
      input[1] *= descriptor.kernel[i];
      input[2] *= MakeRandomWindow(random, i, descriptor.extents[i],
                                   std::int64_t{descriptor.kernel[i]}, descriptor);
      output.Append(descriptor.extents[i]);
    }
    cases.push_back(MakeFold(descriptor, input, output));
  }
  return cases;
}

/// How many whole windows an axis has: by trying.
std::int64_t CountPositions(const FoldWindowsDescriptor& descriptor, std::uint32_t i) {
  const std::int64_t span = std::int64_t{descriptor.kernel[i] - 1} * descriptor.dilations[i] + 1;
  const std::int64_t padded =
      descriptor.extents[i] + descriptor.pads_begin[i] + descriptor.pads_end[i];
  std::int64_t count = 0;
  while (count * descriptor.strides[i] + span <= padded) ++count;
  return count;
}

/// Goes over all elements of all windows and adds those that lie where the output asks.
template <typename Number>
Number AddUp(const FoldWindowsDescriptor& descriptor, const NumberTensor<Number>& input,
             const Indices& at) {
  TensorShape kernel = {1, 1};
  TensorShape positions = {1, 1};
  TensorShape image = {1, 1};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    kernel.Append(descriptor.kernel[i]);
    positions.Append(CountPositions(descriptor, i));
    image.Append(descriptor.extents[i]);
  }
  Indices wanted = at;
  wanted[0] = wanted[1] = 0;
  Number sum{};
  for (std::int64_t k = 0; k < kernel.GetNumElements(); ++k) {
    for (std::int64_t window = 0; window < positions.GetNumElements(); ++window) {
      Indices place = GetIndices(positions, window);
      if (!MoveUnder(descriptor, image, GetIndices(kernel, k), place) || place != wanted) continue;
      sum += input.At({at[0], at[1] * kernel.GetNumElements() + k, window});
    }
  }
  return sum;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return AddUp(layer.Get<FoldWindowsDescriptor>(), inputs[0], at);
}

/// Windows of 2 along one axis of 3.
FoldWindowsDescriptor DescribePairs() {
  FoldWindowsDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.kernel[0] = 2;
  descriptor.extents[0] = 3;
  return descriptor;
}

std::vector<EdgeCase> MakeEdges() {
  FoldWindowsDescriptor padded = DescribePairs();
  padded.pads_begin[0] = padded.pads_end[0] = 1;
  FoldWindowsDescriptor apart = DescribePairs();
  apart.strides[0] = 3;
  apart.extents[0] = 6;
  FoldWindowsDescriptor nothing = DescribePairs();
  nothing.extents[0] = 0;
  nothing.pads_begin[0] = 2;
  return {
      // Windows overlap in the middle; the second channel comes behind all of the first.
      {MakeFold(DescribePairs(), {1, 4, 2}, {1, 2, 3}),
       {{1, 2, 10, 20, 3, 4, 30, 40}},
       {{1, 12, 20, 3, 34, 40}}},
      // What lies in the padding is nowhere.
      {MakeFold(padded, {1, 2, 4}, {1, 1, 3}), {{kNaN, 1, 2, 3, 10, 20, 30, kNaN}}, {{11, 22, 33}}},
      // What no window covers is 0.
      {MakeFold(apart, {1, 2, 2}, {1, 1, 6}), {{1, 2, 3, 4}}, {{1, 3, 0, 2, 4, 0}}},
      {MakeFold(DescribePairs(), {1, 2, 2}, {1, 1, 3}),
       {{kInfinity, kNaN, 1, 1}},
       {{kInfinity, kNaN, 1}}},
      {MakeFold(nothing, {1, 2, 1}, {1, 1, 0}), {{1, 2}}, {{}}},
      {MakeFold(DescribePairs(), {0, 2, 2}, {0, 1, 3}), {{}}, {{}}},
  };
}

/// Two windows of two elements, whatever the descriptor says.
RefusedCase Refuse(const FoldWindowsDescriptor& descriptor, const char* diagnostic,
                   const char* found, const char* expected, const std::string& reason) {
  return {MakeFold(descriptor, {1, 2, 2}, {1, 1, 3}), diagnostic, found, expected, reason};
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<FoldWindowsDescriptor> wrong(9, DescribePairs());
  wrong[0].spatial_rank = 4;
  wrong[1].strides[0] = 0;
  wrong[2].dilations[0] = 0;
  wrong[3].kernel[0] = 0;
  wrong[4].extents[0] = -1;
  wrong[5].extents[0] = 4;
  wrong[6].kernel[0] = 3;
  wrong[6].pads_end[0] = 1;
  wrong[7].dilations[0] = 3;
  wrong[8].extents[0] = kMost;
  wrong[8].pads_end[0] = 1;
  const char* const from_1 = " of spatial axis 0 is 0, but must be 1 to 2147483647";
  const char* const whole =
      "input 0 has shape [1, 2, 2], but extent 2 must be the number of whole windows";
  return {
      {MakeFold(DescribePairs(), {2, 2}, {1, 1, 3}), "wrong-rank", "float32 [2, 2]", "rank 3",
       "input 0 has rank 2, but must have rank 3"},
      Refuse(wrong[0], "invalid-descriptor", "found 4", "1 to 3",
             "spatial rank 4 is not supported, only 1 to 3"),
      Refuse(wrong[1], "invalid-descriptor", "found 0", "1 or more",
             std::string("the stride") + from_1),
      Refuse(wrong[2], "invalid-descriptor", "found 0", "1 or more",
             std::string("the dilation") + from_1),
      Refuse(wrong[3], "invalid-descriptor", "found 0", "1 or more",
             std::string("the kernel") + from_1),
      Refuse(wrong[4], "invalid-descriptor", "found -1 at spatial axis 0", "0 or more",
             "the output has shape [1, 1, 3], but the inputs give [1, 1, -1]"),
      Refuse(wrong[5], "wrong-shape", "extent 2 at axis 2", "the number of whole windows",
             "the output has shape [1, 1, 3], but the inputs give [1, 1, 4]"),
      Refuse(wrong[6], "wrong-shape", "extent 2 at axis 1", "a multiple of 3",
             "input 0 has shape [1, 2, 2], but extent 1 must be a multiple of the elements of a "
             "window"),
      Refuse(wrong[7], "wrong-shape", "a kernel that spans 4", "at most 3", whole),
      Refuse(wrong[8], "tensor-too-large", "found extent 9223372036854775807", "63 bits", whole),
  };
}

}  // namespace fold_windows

BACKPLANE_ELEMENT_ORACLE(FoldWindows, fold_windows, PlainTypes::kNumbers,
                         QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
