#include "conformance/convolution_oracle.hpp"
#include "conformance/limits.hpp"

namespace backplane {
namespace conformance {
namespace convolution {

std::vector<LayerCase> MakeCases(Random& random) {
  LayerCase layer = MakeRandomConvolution(LayerType::kConvolution, random);
  if (random.Integer(0, 1) == 1) layer.inputs.push_back({layer.inputs[1][0]});
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Convolve(layer.Get<ConvolutionDescriptor>(), inputs, at);
}

ConvolutionDescriptor MakeWindow(std::uint32_t spatial_rank, std::uint32_t groups = 1,
                                 std::uint32_t stride = 1, std::uint32_t padding = 0) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  descriptor.groups = groups;
  std::fill_n(descriptor.strides, kMaxSpatialRank, stride);
  std::fill_n(descriptor.pads_begin, kMaxSpatialRank, padding);
  std::fill_n(descriptor.pads_end, kMaxSpatialRank, padding);
  return descriptor;
}

LayerCase Describe(const ConvolutionDescriptor& descriptor, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  return MakeCase(LayerType::kConvolution, descriptor, inputs, output);
}

/// The same, with the output counted.
LayerCase MakeCounted(const ConvolutionDescriptor& descriptor,
                      const std::vector<TensorShape>& inputs) {
  TensorShape output = {inputs[0][0], inputs[1][0]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t padded =
        inputs[0][i + 2] + descriptor.pads_begin[i] + descriptor.pads_end[i];
    const std::int64_t reach = (inputs[1][i + 2] - 1) * descriptor.dilations[i];
    std::int64_t count = 0;
    for (std::int64_t at = 0; at + reach < padded; at += descriptor.strides[i]) ++count;
    output.Append(count);
  }
  return Describe(descriptor, inputs, output);
}

/// Kernels larger than the input, and padding wider than the kernel.
EdgeCase MakeWide(Random& random) {
  ConvolutionDescriptor descriptor = MakeWindow(random.Word(1, kMaxSpatialRank), random.Word(1, 3));
  const std::int64_t group_channels = random.Integer(1, 5);
  TensorShape input = {random.Integer(1, 2), group_channels * descriptor.groups};
  TensorShape weights = {random.Integer(1, 7) * descriptor.groups, group_channels};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.strides[i] = random.Word(1, 3);
    descriptor.dilations[i] = random.Word(1, 3);
    descriptor.pads_begin[i] = random.Word(0, 4);
    descriptor.pads_end[i] = random.Word(0, 4);
    input.Append(random.Integer(1, 6));
    const std::int64_t most =
        (input[i + 2] + descriptor.pads_begin[i] + descriptor.pads_end[i] - 1) /
            descriptor.dilations[i] +
        1;
    weights.Append(random.Integer(1, std::min<std::int64_t>(most, 4)));
  }
  std::vector<TensorShape> inputs = {input, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({weights[0]});
  return {MakeCounted(descriptor, inputs)};
}

/// More than are laid out and multiplied at once.
void AddLarge(std::vector<EdgeCase>& edges) {
  ConvolutionDescriptor descriptor = MakeWindow(2);
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = descriptor.pads_end[1] = 1;
  descriptor.strides[0] = 2;
  const auto add = [&](const ConvolutionDescriptor& window,
                       const std::vector<TensorShape>& inputs) {
    edges.push_back({WithWhole(MakeCounted(window, inputs))});
  };
  add(descriptor, {{2, 33, 9, 15}, {39, 33, 3, 3}});
  add(MakeWindow(2), {{1, 70, 9, 30}, {5, 70, 1, 1}});
  descriptor.groups = 2;
  add(descriptor, {{1, 80, 9, 15}, {6, 40, 3, 3}});
  descriptor.strides[1] = 2;
  add(descriptor, {{1, 4, 2, 599}, {6, 2, 3, 3}});
  // Depthwise.
  add(MakeWindow(2, 5, 1, 1), {{1, 5, 9, 33}, {10, 1, 3, 3}, {10}});
  // Few filters in far padding.
  ConvolutionDescriptor far = MakeWindow(1);
  far.dilations[0] = far.pads_begin[0] = 400000000;
  edges.push_back({Describe(far, {{1, 1, 3}, {1, 1, 2}}, {1, 1, 3})});
}

std::vector<EdgeCase> MakeEdges() {
  const Elements reals = {130, 124};
  std::vector<EdgeCase> edges = {
      {MakeCounted(MakeWindow(1), {{2, 3, 5}, {4, 3, 1}})},
      {MakeCounted(MakeWindow(2), {{2, 3, 5, 4}, {4, 3, 1, 1}})},
      {MakeCounted(MakeWindow(3), {{2, 3, 5, 4, 2}, {4, 3, 1, 1, 1}})},
      {MakeCounted(MakeWindow(3), {{2, 3, 5, 4, 2}, {4, 3, 3, 1, 1}})},
      {MakeCounted(MakeWindow(3), {{2, 3, 5, 4, 2}, {4, 3, 1, 1, 2}})},
      {MakeCounted(MakeWindow(2, 1, 1, 3), {{1, 2, 1, 2}, {3, 2, 5, 7}})},
      // Where there is nothing to multiply, the bias is all.
      {Describe(MakeWindow(1, 1, 1, 2), {{1, 1, 1}, {1, 1, 1}, {1}}, {1, 1, 5}),
       {{3}, {2}, {0.5L}},
       {{0.5L, 0.5L, 6.5L, 0.5L, 0.5L}}},
      {Describe(MakeWindow(1), {{1, 0, 3}, {2, 0, 2}, {2}}, {1, 2, 2}),
       {{}, {}, {1, -1}},
       {{1, 1, -1, -1}}},
      {Describe(MakeWindow(2, 1, 1, 1), {{1, 2, 0, 1}, {1, 2, 2, 3}, {1}}, {1, 1, 1, 1}),
       {{}, Elements(12), {4}},
       {{4}}},
      {Describe(MakeWindow(1), {{0, 1, 3}, {2, 1, 2}}, {0, 2, 2}), {{}, Elements(4)}, {{}}},
      // Inputs and output have scales and zero points of their own: 1 and -2 times 1 and -4.
      {With(Describe(MakeWindow(1), {{1, 1, 2}, {2, 1, 1}}, {1, 2, 2}),
            {MakeOwn(0, DataType::kUInt8, {0.5F}, {128}),
             MakeOwn(1, DataType::kUInt8, {0.25F, 2}, {0, 10})},
            {MakeOwn(0, DataType::kUInt8, {1}, {10})}),
       {reals, {4, 8}},
       {{11, 8, 6, 18}}},
      {With(Describe(MakeWindow(1), {{1, 0, 2}, {5, 0, 1}, {5}}, {1, 5, 2}),
            {MakeOwn(0, DataType::kUInt8, {0.5F}), MakeOwn(1, DataType::kInt8, {0.5F}),
             MakeOwn(2, DataType::kInt32, {0.25F})},
            {MakeOwn(0, DataType::kUInt8, {1})}),
       {{}, {}, {4, -4, 400, 2, 6}},
       {{1, 1, 0, 0, 100, 100, 0, 0, 2, 2}}},
  };
  // Entries behind the spatial rank are not looked at.
  ConvolutionDescriptor ignored = MakeWindow(2);
  ignored.strides[2] = 0;
  edges.push_back({MakeCounted(ignored, {{1, 3, 4, 4}, {5, 3, 3, 3}})});
  AddLarge(edges);
  Random random(6);
  for (int round = 0; round < 40; ++round) edges.push_back(MakeWide(random));
  return edges;
}

/// One spatial axis, whatever the descriptor says.
RefusedCase RefuseDescriptor(const ConvolutionDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {Describe(descriptor, {{1, 1, 4}, {1, 1, 1}}, {1, 1, 4}), "invalid-descriptor", found,
          expected, reason};
}

RefusedCase RefuseGroups(std::uint32_t groups, const std::vector<TensorShape>& inputs,
                         const char* found, const char* expected, const std::string& reason) {
  return {Describe(MakeWindow(1, groups), inputs, {1, inputs[1][0], 5}), "wrong-shape", found,
          expected, reason};
}

std::vector<RefusedCase> MakeRefused() {
  const char* const only = " is not supported, only 1 to 3";
  const char* const from_1 = " of spatial axis 0 is 0, but must be 1 to 2147483647";
  ConvolutionDescriptor still = MakeWindow(1, 1, 0);
  ConvolutionDescriptor undilated = MakeWindow(1);
  undilated.dilations[0] = 0;
  ConvolutionDescriptor wide = MakeWindow(1);
  wide.pads_end[0] = 0x80000000U;
  ConvolutionDescriptor longer = MakeWindow(1);
  longer.pads_end[0] = 1;
  ConvolutionDescriptor dilated = MakeWindow(1);
  dilated.dilations[0] = 4;
  return {
      RefuseDescriptor(MakeWindow(0), "found 0", "1 to 3", std::string("spatial rank 0") + only),
      RefuseDescriptor(MakeWindow(4), "found 4", "1 to 3", std::string("spatial rank 4") + only),
      RefuseDescriptor(MakeWindow(1, 0), "found 0", "1 or more",
                       "groups is 0, but must be 1 or more and divide 1 input channels and 1 "
                       "output channels"),
      RefuseDescriptor(still, "found 0", "1 or more", std::string("the stride") + from_1),
      RefuseDescriptor(undilated, "found 0", "1 or more", std::string("the dilation") + from_1),
      // Which the core counts.
      {Describe(wide, {{1, 1, 4}, {1, 1, 1}}, {1, 1, 4}), "", "", "",
       "the padding at the end of spatial axis 0 is 2147483648, but must be 0 to 2147483647"},
      {Describe(MakeWindow(1), {{1, 1, 4}, {1, 1, 0}}, {1, 1, 4}), "invalid-descriptor", "found 0",
       "1 or more", std::string("the kernel") + from_1},
      {Describe(MakeWindow(2), {{1, 3, 8}, {5, 3, 3, 3}}, {1, 5, 6, 6}), "wrong-rank",
       "float32 [1, 3, 8] as input 0", "rank 4, [N, C, spatial...]",
       "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {Describe(MakeWindow(2), {{1, 3, 8, 8}, {5, 3, 3}}, {1, 5, 6, 6}), "wrong-rank",
       "float32 [5, 3, 3] as input 1", "rank 4, [M, C / groups, kernel...]",
       "input 1 (weights) has rank 3, but must have rank 4 for spatial rank 2"},
      RefuseGroups(
          4, {{1, 6, 5}, {8, 1, 1}}, "6 channels", "a multiple of 4",
          "groups is 4, but must be 1 or more and divide 6 input channels and 8 output channels"),
      RefuseGroups(
          4, {{1, 4, 5}, {6, 1, 1}}, "6 filters", "a multiple of 4",
          "groups is 4, but must be 1 or more and divide 4 input channels and 6 output channels"),
      RefuseGroups(2, {{1, 4, 5}, {6, 4, 1}}, "extent 4 at axis 1", "expected 2",
                   "input 1 (weights) has 4 channels, but must have 2: 4 of input 0 in 2 groups"),
      RefuseGroups(1, {{1, 4, 5}, {6, 4, 1}, {4}}, "extent 4 at axis 0", "6, the number of filters",
                   "input 2 (bias) has shape [4], but must have [6]"),
      {Describe(dilated, {{1, 3, 8}, {5, 3, 3}}, {1, 5, 1}), "wrong-shape", "a kernel that spans 9",
       "a span of at most 8", "the output has shape [1, 5, 1], but the inputs give [1, 5, 0]"},
      {As(DataType::kInt8, Describe(longer, {{1, 1, kMost}, {1, 1, 1}}, {1, 1, 4})),
       "tensor-too-large", "padding 0 + 1", "fits 63 bits",
       "the input extent of spatial axis 0 is 9223372036854775807, but must be 0 to 2147483647"},
      {As(DataType::kInt8, Describe(dilated, {{1, 1, 1}, {1, 1, kMost}}, {1, 1, 4})),
       "tensor-too-large", "with dilation 4", "fits 63 bits",
       "the kernel of spatial axis 0 is 9223372036854775807, but must be 1 to 2147483647"},
      {With(Describe(MakeWindow(1), {{1, 1, 1}, {1, 1, 1}}, {1, 1, 1}),
            {MakeOwn(1, DataType::kInt8)}),
       "wrong-data-type", "int8 [1, 1, 1]", "float32",
       "data type int8 of input 1 differs from float32 of input 0"},
  };
}

}  // namespace convolution

BACKPLANE_ELEMENT_ORACLE(Convolution, convolution, PlainTypes::kNumbers,
                         QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
