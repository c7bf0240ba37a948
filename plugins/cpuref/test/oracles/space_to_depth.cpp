#include "test/moved_case.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DepthOrder order : {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst}) {
    SpaceToDepthDescriptor descriptor;
    descriptor.order = order;
    descriptor.block_size = random.Word(1, 3);
    const TensorShape small = random.Shape(random.Word(3, 5), 1, 3);
    TensorShape depth = small;
    TensorShape space = small;
    for (std::uint32_t axis = 2; axis < small.rank; ++axis) {
      depth[1] *= descriptor.block_size;
      space[axis] *= descriptor.block_size;
    }
    cases.push_back(MakeCase(LayerType::kSpaceToDepth, descriptor, {space}, depth));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  return MoveEverything(true);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<SpaceToDepthDescriptor>();
  const std::int64_t block = descriptor.block_size;
  return EvaluateEach<Number>(layer, output, [&](Indices at) {
    const std::int64_t channels = layer.inputs[0][1];
    const std::int64_t places = layer.outputs[0][1] / channels;
    const bool is_block_first = descriptor.order == DepthOrder::kBlockFirst;
    std::int64_t place = is_block_first ? at[1] / channels : at[1] % places;
    at[1] = is_block_first ? at[1] % channels : at[1] / places;
    for (std::size_t axis = at.size() - 1; axis >= 2; --axis) {
      at[axis] = at[axis] * block + place % block;
      place /= block;
    }
    return inputs[0].At(at);
  });
}

}  // namespace

CPUREF_ORACLE(SpaceToDepth);

}  // namespace cpuref_test
}  // namespace backplane
