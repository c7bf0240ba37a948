#include "test/moved_case.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DepthOrder order : {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst}) {
    DepthToSpaceDescriptor descriptor;
    descriptor.order = order;
    descriptor.block_size = random.Word(1, 3);
    const TensorShape small = random.Shape(random.Word(3, 5), 1, 3);
    TensorShape depth = small;
    TensorShape space = small;
    for (std::uint32_t axis = 2; axis < small.rank; ++axis) {
      depth[1] *= descriptor.block_size;
      space[axis] *= descriptor.block_size;
    }
    cases.push_back(MakeCase(LayerType::kDepthToSpace, descriptor, {depth}, space));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  return MoveEverything(true);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<DepthToSpaceDescriptor>();
  const std::int64_t block = descriptor.block_size;
  return EvaluateEach<Number>(layer, output, [&](Indices at) {
    std::int64_t place = 0;
    std::int64_t places = 1;
    for (std::size_t axis = 2; axis < at.size(); ++axis) {
      place = place * block + at[axis] % block;
      places *= block;
      at[axis] /= block;
    }
    const bool is_block_first = descriptor.order == DepthOrder::kBlockFirst;
    at[1] = is_block_first ? place * layer.outputs[0][1] + at[1] : at[1] * places + place;
    return inputs[0].At(at);
  });
}

}  // namespace

CPUREF_ORACLE(DepthToSpace);

}  // namespace cpuref_test
}  // namespace backplane
