#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptor.hpp>

namespace backplane {
namespace conformance {
namespace copy {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape matrix = random.Shape(2, 1, 6);
  return {MakeCase(LayerType::kCopy, NoDescriptor(), {matrix}, matrix)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

std::vector<EdgeCase> MakeEdges() {
  return {{MakeCase(LayerType::kCopy, NoDescriptor(), {{2, 0}}, {2, 0}), {{}}, {{}}},
          {MakeCase(LayerType::kCopy, NoDescriptor(), {{}}, {}), {{kNaN}}, {{kNaN}}}};
}

/// The core adds no such layer for others, and asks nothing.
std::vector<RefusedCase> MakeRefused() {
  return {{With(MakeCase(LayerType::kCopy, NoDescriptor(), {{2, 3}}, {6}),
                {MakeOwn(0, DataType::kFloat16)}),
           "", "", "",
           "data type float16 of input 0 differs from float32 of the output; conversions are not "
           "supported; the output has shape [6], but the inputs give [2, 3]"}};
}

}  // namespace copy

BACKPLANE_ORACLE(Copy, copy, PlainTypes::kStored, QuantisedTypes::kMoved);

}  // namespace conformance
}  // namespace backplane
