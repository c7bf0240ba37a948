#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <algorithm>

namespace backplane {
namespace conformance {
namespace pad {

LayerCase MakeRandom(Random& random, PaddingMode mode, bool has_value) {
  PadDescriptor descriptor;
  descriptor.mode = mode;
  const TensorShape input = random.Shape(random.Word(1, 4), 2, 5);
  TensorShape output = input;
  for (std::uint32_t axis = random.Word(0, 1); axis < input.rank; ++axis) {
    if (random.Integer(0, 3) == 0) continue;
    const std::int64_t widest = mode == PaddingMode::kReflect ? input[axis] - 2 : 4;
    const std::int64_t least = mode == PaddingMode::kReflect && widest > 0 ? 0 : -1;
    descriptor.pads_begin[axis] = random.Integer(least, widest);
    descriptor.pads_end[axis] = random.Integer(0, std::max<std::int64_t>(widest, 0));
    if (widest <= 0) descriptor.pads_end[axis] = 0;
    output[axis] += descriptor.pads_begin[axis] + descriptor.pads_end[axis];
  }
  std::vector<TensorShape> inputs = {input};
  if (has_value) inputs.push_back({});
  return MakeCase(LayerType::kPad, descriptor, inputs, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  return {MakeRandom(random, PaddingMode::kConstant, false),
          MakeRandom(random, PaddingMode::kConstant, true),
          MakeRandom(random, PaddingMode::kReflect, false),
          MakeRandom(random, PaddingMode::kEdge, false)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<PadDescriptor>();
  // A scalar has no axis.
  return MoveEverything(layer.inputs.size() == 1 && descriptor.pads_begin[0] == 0 &&
                        descriptor.pads_end[0] == 0);
}

/// Walks from where the index would be, mirrored at the first and last that are left.
std::int64_t Reflect(std::int64_t index, std::int64_t first, std::int64_t last) {
  while (index < first || index > last) {
    if (index < first) index = 2 * first - index;
    if (index > last) index = 2 * last - index;
  }
  return index;
}

template <typename Number>
Number PadAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<PadDescriptor>();
  for (std::uint32_t axis = 0; axis < at.size(); ++axis) {
    const std::int64_t first = std::max<std::int64_t>(-descriptor.pads_begin[axis], 0);
    const std::int64_t last =
        layer.inputs[0][axis] - 1 + std::min<std::int64_t>(descriptor.pads_end[axis], 0);
    std::int64_t& index = at[axis];
    index -= descriptor.pads_begin[axis];
    if (index >= first && index <= last) continue;
    if (descriptor.mode == PaddingMode::kConstant) {
      return inputs.size() == 2 ? inputs[1].data[0] : Number{0};
    }
    index = descriptor.mode == PaddingMode::kEdge ? std::min(std::max(index, first), last)
                                                  : Reflect(index, first, last);
  }
  return inputs[0].At(at);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output,
                              [&](const Indices& at) { return PadAt(layer, inputs, at); });
}

LayerCase Describe(PaddingMode mode, const std::vector<std::int64_t>& begin,
                   const std::vector<std::int64_t>& end, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  PadDescriptor descriptor;
  descriptor.mode = mode;
  std::copy(begin.begin(), begin.end(), descriptor.pads_begin);
  std::copy(end.begin(), end.end(), descriptor.pads_end);
  return MakeCase(LayerType::kPad, descriptor, inputs, output);
}

EdgeCase PadRow(PaddingMode mode, std::int64_t begin, std::int64_t end, const Elements& input,
                const Elements& output) {
  return {Describe(mode, {begin}, {end}, {{static_cast<std::int64_t>(input.size())}},
                   {static_cast<std::int64_t>(output.size())}),
          {input},
          {output}};
}

constexpr PaddingMode kConstant = PaddingMode::kConstant;
constexpr PaddingMode kReflect = PaddingMode::kReflect;
constexpr PaddingMode kEdge = PaddingMode::kEdge;

std::vector<EdgeCase> MakeEdges() {
  const OwnTensor channels = MakeOwn(0, DataType::kInt8, {0.5F, 0.25F}, {7, -3});
  return {
      PadRow(kConstant, 2, 1, {5, 6}, {0, 0, 5, 6, 0}),
      {Describe(kConstant, {2}, {1}, {{2}, {}}, {5}), {{5, 6}, {9}}, {{9, 9, 5, 6, 9}}},
      PadRow(kReflect, 2, 2, {5, 6, 7}, {7, 6, 5, 6, 7, 6, 5}),
      PadRow(kEdge, 2, 3, {5, 6, 7}, {5, 5, 5, 6, 7, 7, 7, 7}),
      // Elements are taken away before others are added.
      PadRow(kConstant, -1, -2, {1, 2, 3, 4}, {2}),
      PadRow(kReflect, 2, -1, {1, 2, 3, 4}, {3, 2, 1, 2, 3}),
      PadRow(kEdge, -1, 2, {1, 2, 3}, {2, 3, 3, 3}),
      PadRow(kConstant, -2, 2, {1, 2}, {0, 0}),
      PadRow(kConstant, 2, 1, {}, {0, 0, 0}),
      {Describe(kConstant, {1, 1}, {0, 0}, {{0, 2}}, {1, 3}), {{}}, {{0, 0, 0}}},
      {Describe(kEdge, {0, 1}, {0, 0}, {{0, 1}}, {0, 2}), {{}}, {{}}},
      {Describe(kConstant, {}, {}, {{}}, {}), {{4}}, {{4}}},
      // Inner axes that are not padded move as a whole.
      {Describe(kReflect, {1, 0}, {0, 0}, {{2, 3}}, {3, 3}),
       {{1, 2, 3, 4, 5, 6}},
       {{4, 5, 6, 1, 2, 3, 4, 5, 6}}},
      // Nothing is the zero point of each channel.
      {With(Describe(kConstant, {0, 1}, {0, 1}, {{2, 1}}, {2, 3}), {channels}, {channels}),
       {{1, 2}},
       {{7, 1, 7, -3, 2, -3}}},
  };
}

/// Of 3 elements.
RefusedCase RefuseRow(PaddingMode mode, std::int64_t begin, std::int64_t end, const char* found,
                      const char* expected) {
  const std::string pads = std::to_string(begin) + " and " + std::to_string(end);
  return {Describe(mode, {begin}, {end}, {{3}}, {3}), "invalid-descriptor", found + pads, expected,
          "padding " + pads + " along axis 0 does not fit the extent 3"};
}

std::vector<RefusedCase> MakeRefused() {
  const char* const row = "extent 3 with padding ";
  const char* const few = "at most 3 elements";
  return {
      RefuseRow(kReflect, 3, 0, row, "at most 2"),
      RefuseRow(kReflect, 3, -3, row, "at most 0"),
      // Two elements are taken away first.
      RefuseRow(kReflect, -2, 1, row, "at most 0"),
      {Describe(kEdge, {1}, {0}, {{0}}, {1}), "wrong-shape", "extent 0", "at least one element",
       "padding 1 and 0 along axis 0 does not fit the extent 0; the output has shape [1], but the "
       "inputs give [0]"},
      {Describe(kEdge, {-3}, {3}, {{3}}, {3}), "wrong-shape", "extent 3 with padding -3 and 3",
       "at least one element", "padding -3 and 3 along axis 0 does not fit the extent 3"},
      RefuseRow(kConstant, -4, 0, "", few),
      RefuseRow(kConstant, 0, -4, "", few),
      RefuseRow(kConstant, -2, -2, "", few),
      RefuseRow(kConstant, kLeast, kLeast, "", few),
      RefuseRow(kConstant, kLeast, kMost, "", few),
      {Describe(kConstant, {kMost}, {1}, {{0}}, {0}), "tensor-too-large", "at axis 0", "63 bits",
       "padding 9223372036854775807 and 1 along axis 0 does not fit the extent 0; the output has "
       "shape [0], but the inputs give [-9223372036854775808]"},
      {Describe(PaddingMode{4}, {0}, {0}, {{3}}, {3}), "invalid-descriptor", "number 4",
       "Constant, Reflect or Edge",
       "mode 4 is not supported, only Constant (1), Reflect (2) and Edge (3)"},
      {Describe(kConstant, {0}, {0}, {{3}, {3}}, {3}), "wrong-rank", "float32 [3] as input 1",
       "rank 0", "input 1 has shape [3], but must have one element"},
      {With(Describe(kConstant, {0, 1}, {0, 1}, {{2, 3}}, {2, 5}), {MakeScaled(0, 1, 3)},
            {MakeScaled(0, 1, 5)}),
       "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace pad

BACKPLANE_ORACLE(Pad, pad, pad::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
