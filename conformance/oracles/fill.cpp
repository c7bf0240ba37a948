#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/fill.hpp>

namespace backplane {
namespace conformance {
namespace fill {

std::vector<LayerCase> MakeCases(Random& random) {
  FillDescriptor descriptor;
  const TensorShape output = random.Shape(random.Word(0, 4), 1, 5);
  descriptor.rank = output.rank;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) descriptor.dims[axis] = output[axis];
  return {MakeCase(LayerType::kFill, descriptor, {{}}, output)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices&) { return inputs[0].data[0]; });
}

LayerCase To(const std::vector<std::int64_t>& dims, const TensorShape& input,
             const TensorShape& output) {
  FillDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), kMaxRank), descriptor.dims);
  return MakeCase(LayerType::kFill, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {{To({2, 3}, {}, {2, 3}), {{4}}, {Elements(6, 4)}},
          {To({}, {}, {}), {{4}}, {{4}}},
          {To({3, 0}, {}, {3, 0}), {{4}}, {{}}}};
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {To({2}, {2}, {2}), "wrong-rank", "float32 [2]", "rank 0",
       "input 0 has shape [2], but must have one element"},
      {To(std::vector<std::int64_t>(9, 1), {}, {2}), "invalid-descriptor", "rank 9", "at most 8",
       "rank 9 is more than 8"},
      {To({-2}, {}, {2}), "invalid-descriptor", "[-2]", "0 or more",
       "the output has shape [2], but the inputs give [-2]"},
  };
}

}  // namespace fill

BACKPLANE_ORACLE(Fill, fill, MoveEverything(false));

}  // namespace conformance
}  // namespace backplane
