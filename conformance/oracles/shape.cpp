#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/shape.hpp>

namespace backplane {
namespace conformance {
namespace shape {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape input = random.Shape(random.Word(1, 6), 1, 4);
  ShapeDescriptor descriptor;
  descriptor.start = random.Word(0, input.rank - 1);
  descriptor.end = random.Word(descriptor.start + 1, input.rank);
  LayerCase layer =
      MakeCase(LayerType::kShape, descriptor, {input}, {descriptor.end - descriptor.start});
  layer.own_outputs = {OwnTensor()};
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<ShapeDescriptor>();
  const auto axis = descriptor.start + static_cast<std::uint32_t>(at[0]);
  return static_cast<Number>(inputs[0].shape[axis]);
}

LayerCase Range(std::uint32_t start, std::uint32_t end, const TensorShape& input) {
  ShapeDescriptor descriptor;
  descriptor.start = start;
  descriptor.end = end;
  return With(MakeCase(LayerType::kShape, descriptor, {input}, {std::int64_t{end} - start}), {},
              {OwnTensor()});
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {As(DataType::kBool, Range(0, 3, {0, 3, 4})), {{}}, {{0, 3, 4}}},
      {Range(1, 2, {0, 3, 4}), {{}}, {{3}}},
      {Range(2, 2, {0, 3}), {{}}, {{}}},
      {Range(0, 0, {}), {{5}}, {{}}},
      {With(Range(0, 1, {2}), {MakeScaled(0, 0, 2)}, {OwnTensor()}), {{5, 6}}, {{2}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase narrow = With(Range(0, 2, {2, 3}), {}, {MakeOwn(0, DataType::kInt32)});
  return {
      {Range(0, 3, {2, 3}), "invalid-descriptor", "start 0 and end 3", "end <= 2",
       "start 0 and end 3 are not a range of the axes of rank 2"},
      {With(MakeCase(LayerType::kShape, Range(2, 1, {}).Get<ShapeDescriptor>(), {{2, 3}}, {1}), {},
            {OwnTensor()}),
       "invalid-descriptor", "start 2 and end 1", "start <= end",
       "start 2 and end 1 are not a range of the axes of rank 2"},
      {narrow, "", "", "", "data type int32 of the output is not supported, only int64"},
  };
}

}  // namespace shape

BACKPLANE_ELEMENT_ORACLE(Shape, shape, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
