#include "test/layer_case.hpp"
#include "test/window_oracle.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace pooling {

/// Whether an element of a window lies in the input or in its padding: the last window may reach
/// behind both.
bool IsInPaddedInput(const PoolingDescriptor& descriptor, const TensorShape& input,
                     const Indices& window, const Indices& position) {
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t index = position[i + 2] * descriptor.strides[i] +
                               window[i + 2] * descriptor.dilations[i] - descriptor.pads_begin[i];
    if (index >= input[i + 2] + descriptor.pads_end[i]) return false;
  }
  return true;
}

/// Padding counts in an average when the descriptor says so. The average of nothing is 0.
template <typename Number>
Number Pool(const PoolingDescriptor& descriptor, const NumberTensor<Number>& input,
            const Indices& position) {
  TensorShape window = {1, 1};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) window.Append(descriptor.kernel[i]);
  std::vector<Number> elements;
  std::int64_t num_padded = 0;
  for (std::int64_t k = 0; k < window.GetNumElements(); ++k) {
    Indices under = position;
    if (IsInPaddedInput(descriptor, input.shape, GetIndices(window, k), position)) ++num_padded;
    if (MoveUnder(descriptor, input.shape, GetIndices(window, k), under)) {
      elements.push_back(input.At(under));
    }
  }
  if (descriptor.method == PoolingMethod::kMax) {
    if constexpr (kIsReal<Number>) {
      if (elements.empty()) return -std::numeric_limits<Number>::infinity();
    }
    return *std::max_element(elements.begin(), elements.end());
  }
  if constexpr (kIsReal<Number>) {
    if (descriptor.method == PoolingMethod::kLp) {
      const auto p = static_cast<long double>(descriptor.p);
      Number powers{};
      for (const Number element : elements) powers += std::pow(std::abs(element), p);
      return std::pow(powers, 1 / p);
    }
  }
  Number sum{};
  for (const Number element : elements) sum += element;
  const bool is_included = descriptor.padding_in_average == PaddingInAverage::kInclude;
  const auto count = is_included ? num_padded : static_cast<std::int64_t>(elements.size());
  return count == 0 ? 0 : sum / static_cast<Number>(count);
}

LayerCase MakeCaseOf(PoolingMethod method, Random& random) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.p = static_cast<float>(random.Integer(1, 6)) / 2.0F;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.padding_in_average =
      random.Integer(0, 1) == 1 ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape output = input;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.kernel[i] = random.Word(1, 3);
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], descriptor.kernel[i], descriptor));
  }
  return MakeCase(LayerType::kPooling, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  return {MakeCaseOf(PoolingMethod::kMax, random), MakeCaseOf(PoolingMethod::kAverage, random),
          MakeCaseOf(PoolingMethod::kLp, random)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  if (layer.Get<PoolingDescriptor>().method == PoolingMethod::kLp) return {PlainTypes::kFloats};
  return {PlainTypes::kNumbers, QuantisedTypes::kInRange};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Pool(layer.Get<PoolingDescriptor>(), inputs[0], at);
}

}  // namespace pooling

CPUREF_ELEMENT_ORACLE(Pooling, pooling, pooling::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
