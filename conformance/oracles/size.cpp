#include "conformance/moved_case.hpp"

namespace backplane {
namespace conformance {
namespace size {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape input = random.Shape(random.Word(0, 6), 1, 4);
  LayerCase layer = MakeCase(LayerType::kSize, NoDescriptor(), {input}, {});
  layer.own_outputs = {OwnTensor()};
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return {static_cast<Number>(inputs[0].data.size())};
}

LayerCase Count(const TensorShape& input, const OwnTensor& output) {
  return With(MakeCase(LayerType::kSize, NoDescriptor(), {input}, {}), {}, {output});
}

std::vector<EdgeCase> MakeEdges() {
  return {{Count({0, 3}, OwnTensor()), {{}}, {{0}}}, {Count({}, OwnTensor()), {{5}}, {{1}}}};
}

std::vector<RefusedCase> MakeRefused() {
  return {{Count({2}, MakeOwn(0, DataType::kInt32)), "", "", "",
           "data type int32 of the output is not supported, only int64"}};
}

}  // namespace size

BACKPLANE_ORACLE(Size, size, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
