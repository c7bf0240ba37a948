#include "test/moved_case.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
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

}  // namespace pad

CPUREF_ORACLE(Pad, pad, pad::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
