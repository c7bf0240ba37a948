#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/expand.hpp>

namespace backplane {
namespace conformance {
namespace expand {

std::vector<LayerCase> MakeCases(Random& random) {
  ExpandDescriptor descriptor;
  const TensorShape output = random.Shape(random.Word(0, 4), 1, 5);
  descriptor.rank = output.rank;
  TensorShape input;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    descriptor.dims[axis] = output[axis];
    if (input.rank == 0 && random.Integer(0, 2) == 0) continue;
    input.Append(random.Integer(0, 1) == 1 ? 1 : output[axis]);
  }
  return {MakeCase(LayerType::kExpand, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const TensorShape& input = layer.inputs[0];
  const TensorShape& output = layer.outputs[0];
  return MoveEverything(input.rank == output.rank && (input.rank == 0 || input[0] == output[0]));
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output,
                              [&](const Indices& at) { return Broadcast(inputs[0], at); });
}

LayerCase To(const std::vector<std::int64_t>& dims, const TensorShape& input,
             const TensorShape& output) {
  ExpandDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), kMaxRank), descriptor.dims);
  return MakeCase(LayerType::kExpand, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {To({2, 2, 3}, {2, 1}, {2, 2, 3}), {{1, 2}}, {{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}}},
      {To({3}, {}, {3}), {{7}}, {{7, 7, 7}}},
      {To({}, {}, {}), {{7}}, {{7}}},
      {To({0, 3}, {1, 3}, {0, 3}), {{1, 2, 3}}, {{}}},
      {To({0, 3}, {0, 1}, {0, 3}), {{}}, {{}}},
      // Scales go along.
      {With(To({5, 3, 2}, {3, 1}, {5, 3, 2}), {MakeScaled(0, 0, 3)}, {MakeScaled(0, 1, 3)})},
  };
}

RefusedCase RefuseShape(const std::vector<std::int64_t>& dims, const TensorShape& output,
                        const std::string& reason) {
  return {To(dims, {4, 3}, output), "wrong-shape", "float32 [4, 3]", "equal to those wanted, or 1",
          reason};
}

std::vector<RefusedCase> MakeRefused() {
  const char* const start = "input 0 with shape [4, 3] does not broadcast to ";
  return {
      RefuseShape({4, 1}, {4, 1}, std::string(start) + "[4, 1]"),
      RefuseShape({3}, {3}, std::string(start) + "[3]"),
      RefuseShape({2}, {2}, std::string(start) + "[2]"),
      RefuseShape({0}, {0}, std::string(start) + "[0]"),
      RefuseShape({}, {4, 3},
                  std::string(start) + "[]; the output has shape [4, 3], but the inputs give []"),
      {To({-1, 3}, {3}, {1, 3}), "invalid-descriptor", "[-1, 3]", "0 or more",
       "the output has shape [1, 3], but the inputs give [-1, 3]"},
      {To(std::vector<std::int64_t>(9, 1), {}, {}), "invalid-descriptor", "rank 9", "at most 8",
       "rank 9 is more than 8"},
      {To({kMost, kMost}, {}, {}), "tensor-too-large", "9223372036854775807", "63 bits",
       "the output has shape [], but the inputs give [9223372036854775807, 9223372036854775807]"},
  };
}

}  // namespace expand

BACKPLANE_ORACLE(Expand, expand, expand::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
