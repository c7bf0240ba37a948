#include "conformance/layer_case.hpp"

#include <backplane/api/descriptors/reshape.hpp>

namespace backplane {
namespace conformance {
namespace reshape {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape matrix = random.Shape(2, 1, 6);
  ReshapeDescriptor descriptor;
  descriptor.rank = 1;
  descriptor.dims[0] = matrix.GetNumElements();
  return {MakeCase(LayerType::kReshape, descriptor, {matrix}, {matrix.GetNumElements()})};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

LayerCase To(const std::vector<std::int64_t>& dims, const TensorShape& input,
             const TensorShape& output) {
  ReshapeDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), kMaxRank), descriptor.dims);
  return MakeCase(LayerType::kReshape, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {To({1, 2, 1, 3, 1, 2, 1, 2}, {2, 3, 4}, {1, 2, 1, 3, 1, 2, 1, 2})},
      {To({}, {1, 1}, {}), {{7}}, {{7}}},
      {To({0, 9}, {3, 0, 2}, {0, 9}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const OwnTensor pair = MakeScaled(0, 0, 2);
  return {
      {To({5}, {2, 3}, {5}), "wrong-shape", "float32 [2, 3] to be reshaped to [5]", "6 elements",
       "input 0 with shape [2, 3] has 6 elements, but the output with shape [5] has 5; both must "
       "be equal"},
      {To({-1}, {6}, {6}), "invalid-descriptor", "[-1]", "0 or more", ""},
      {To(std::vector<std::int64_t>(9, 1), {1}, {1}), "invalid-descriptor", "rank 9", "at most 8",
       ""},
      {To({kHuge, 4}, {0}, {0}), "wrong-shape", "[4611686018427387904, 4]", "0 elements", ""},
      {With(To({4}, {2, 2}, {4}), {pair}, {pair}), "wrong-data-type", "with 2 scales", "one scale",
       ""},
  };
}

}  // namespace reshape

BACKPLANE_ORACLE(Reshape, reshape, PlainTypes::kStored, QuantisedTypes::kMoved,
                 IntegerResults::kExact, false);

}  // namespace conformance
}  // namespace backplane
