#pragma once

/// What each layer means, written the obvious way: one element of the outputs after the other.

#include "test/typed_tensor.hpp"

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {

/// A layer with shapes, without data types.
struct LayerCase {
  template <typename Derived>
  Derived Get() const {
    return CopyDescriptor<Derived>(*descriptor);
  }

  LayerType type = LayerType::kUndefined;
  std::shared_ptr<BaseDescriptor> descriptor;
  std::vector<TensorShape> inputs;
  std::vector<TensorShape> outputs;
};

template <typename Number>
using Operands = std::vector<NumberTensor<Number>>;
using Indices = std::vector<std::int64_t>;

template <typename Number>
constexpr bool kIsReal = std::is_same<Number, long double>::value;

template <typename Number>
Number Activate(const ActivationDescriptor& descriptor, Number x) {
  const auto alpha = static_cast<long double>(descriptor.alpha);
  const auto beta = static_cast<long double>(descriptor.beta);
  if (descriptor.function == ActivationFunction::kRelu) return std::max(x, Number{});
  if (descriptor.function == ActivationFunction::kBoundedRelu) {
    const auto least = static_cast<Number>(kIsReal<Number> ? beta : std::ceil(beta));
    const auto greatest = static_cast<Number>(kIsReal<Number> ? alpha : std::floor(alpha));
    return std::min(std::max(x, least), greatest);
  }
  if constexpr (kIsReal<Number>) {
    if (descriptor.function == ActivationFunction::kLeakyRelu) return x < 0 ? alpha * x : x;
    if (descriptor.function == ActivationFunction::kSigmoid) return 1 / (1 + std::exp(-x));
    return alpha * std::tanh(beta * x);
  }
  return Number{};
}

template <typename Number>
Number Combine(BinaryOperation operation, Number a, Number b) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return a + b;
    case BinaryOperation::kSub:
      return a - b;
    case BinaryOperation::kMul:
      return a * b;
    case BinaryOperation::kDiv:
      return b == 0 && !kIsReal<Number> ? Number{} : a / b;
    case BinaryOperation::kMaximum:
      return std::max(a, b);
    case BinaryOperation::kMinimum:
      return std::min(a, b);
  }
  return Number{};
}

/// The element of an operand that broadcasts to the shape of these indices.
template <typename Number>
Number Broadcast(const NumberTensor<Number>& operand, const Indices& result) {
  Indices indices(result.end() - static_cast<std::ptrdiff_t>(operand.shape.rank), result.end());
  for (std::uint32_t axis = 0; axis < operand.shape.rank; ++axis) {
    if (operand.shape[axis] == 1) indices[axis] = 0;
  }
  return operand.At(indices);
}

/// Matrices of rank 2 and more, with leading axes that broadcast, and a bias.
template <typename Number>
Number Multiply(const Operands<Number>& inputs, const Indices& position, std::uint32_t transpose_a,
                std::uint32_t transpose_b) {
  const TensorShape& a = inputs[0].shape;
  const std::int64_t inner = a[a.rank - (transpose_a == 1 ? 2 : 1)];
  const std::size_t rank = position.size();
  Number sum = inputs.size() == 3 ? inputs[2].At({position[1]}) : Number{};
  for (std::int64_t k = 0; k < inner; ++k) {
    Indices at_a = position;
    Indices at_b = position;
    at_a[rank - 1] = k;
    at_b[rank - 2] = k;
    if (transpose_a == 1) std::swap(at_a[rank - 1], at_a[rank - 2]);
    if (transpose_b == 1) std::swap(at_b[rank - 1], at_b[rank - 2]);
    const auto in_range = [rank](const NumberTensor<Number>& operand, Indices at) {
      const std::size_t missing = rank - operand.shape.rank;
      for (std::size_t axis = 0; axis + 2 < operand.shape.rank; ++axis) {
        if (operand.shape[static_cast<std::uint32_t>(axis)] == 1) at[missing + axis] = 0;
      }
      return operand.At(Indices(at.begin() + static_cast<std::ptrdiff_t>(missing), at.end()));
    };
    sum += in_range(inputs[0], at_a) * in_range(inputs[1], at_b);
  }
  return sum;
}

/// Where element `kernel` of the window lies in the input; false in the padding.
template <typename WindowDescriptor>
bool MoveUnder(const WindowDescriptor& descriptor, const TensorShape& input, const Indices& kernel,
               Indices& position) {
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    std::int64_t& index = position[i + 2];
    index = index * descriptor.strides[i] + kernel[i + 2] * descriptor.dilations[i] -
            descriptor.pads_begin[i];
    if (index < 0 || index >= input[i + 2]) return false;
  }
  return true;
}

template <typename Number>
Number Convolve(const ConvolutionDescriptor& descriptor, const Operands<Number>& inputs,
                const Indices& position) {
  const TensorShape& weights = inputs[1].shape;
  TensorShape one_filter = weights;
  one_filter[0] = 1;
  const std::int64_t group = position[1] / (weights[0] / descriptor.groups);
  Number sum = inputs.size() == 3 ? inputs[2].At({position[1]}) : Number{};
  for (std::int64_t k = 0; k < one_filter.GetNumElements(); ++k) {
    Indices kernel = GetIndices(one_filter, k);
    Indices under = position;
    if (!MoveUnder(descriptor, inputs[0].shape, kernel, under)) continue;
    under[1] = group * weights[1] + kernel[1];
    kernel[0] = position[1];
    sum += inputs[1].At(kernel) * inputs[0].At(under);
  }
  return sum;
}

/// Padding counts in an average when the descriptor says so.
template <typename Number>
Number Pool(const PoolingDescriptor& descriptor, const NumberTensor<Number>& input,
            const Indices& position) {
  TensorShape window = {1, 1};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) window.Append(descriptor.kernel[i]);
  std::vector<Number> elements;
  for (std::int64_t k = 0; k < window.GetNumElements(); ++k) {
    Indices under = position;
    if (MoveUnder(descriptor, input.shape, GetIndices(window, k), under)) {
      elements.push_back(input.At(under));
    }
  }
  if (descriptor.method == PoolingMethod::kMax) {
    return *std::max_element(elements.begin(), elements.end());
  }
  Number sum{};
  for (const Number element : elements) sum += element;
  const bool is_included = descriptor.padding_in_average == PaddingInAverage::kInclude;
  return sum / static_cast<Number>(is_included ? window.GetNumElements()
                                               : static_cast<std::int64_t>(elements.size()));
}

template <typename Number>
Number Softmax(const SoftmaxDescriptor& descriptor, const NumberTensor<Number>& input,
               Indices position) {
  if constexpr (kIsReal<Number>) {
    const auto beta = static_cast<long double>(descriptor.beta);
    const Number exponential = std::exp(beta * input.At(position));
    Number sum = 0;
    for (std::int64_t k = 0; k < input.shape[descriptor.axis]; ++k) {
      position[descriptor.axis] = k;
      sum += std::exp(beta * input.At(position));
    }
    return exponential / sum;
  }
  return Number{};
}

template <typename Number>
Number Join(const ConcatDescriptor& descriptor, const Operands<Number>& inputs, Indices position) {
  std::int64_t& index = position[descriptor.axis];
  std::size_t input = 0;
  while (index >= inputs[input].shape[descriptor.axis]) {
    index -= inputs[input++].shape[descriptor.axis];
  }
  return inputs[input].At(position);
}

template <typename Number>
Number TakeApart(const SplitDescriptor& descriptor, const NumberTensor<Number>& input,
                 std::size_t output, Indices position) {
  for (std::size_t part = 0; part < output; ++part) {
    position[descriptor.axis] += descriptor.extents[part];
  }
  return input.At(position);
}

/// The element of an output at one position.
template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, std::size_t output,
                  const Indices& at) {
  switch (layer.type) {
    case LayerType::kActivation:
      return Activate(layer.Get<ActivationDescriptor>(), inputs[0].At(at));
    case LayerType::kBatchMatMul: {
      const auto descriptor = layer.Get<BatchMatMulDescriptor>();
      return Multiply(inputs, at, descriptor.transpose_a, descriptor.transpose_b);
    }
    case LayerType::kConcat:
      return Join(layer.Get<ConcatDescriptor>(), inputs, at);
    case LayerType::kConvolution:
      return Convolve(layer.Get<ConvolutionDescriptor>(), inputs, at);
    case LayerType::kElementwiseBinary:
      return Combine(layer.Get<ElementwiseBinaryDescriptor>().operation, Broadcast(inputs[0], at),
                     Broadcast(inputs[1], at));
    case LayerType::kFullyConnected:
      return Multiply(inputs, at, 0, layer.Get<FullyConnectedDescriptor>().transpose_weights);
    case LayerType::kPooling:
      return Pool(layer.Get<PoolingDescriptor>(), inputs[0], at);
    case LayerType::kSoftmax:
      return Softmax(layer.Get<SoftmaxDescriptor>(), inputs[0], at);
    case LayerType::kSplit:
      return TakeApart(layer.Get<SplitDescriptor>(), inputs[0], output, at);
    default:
      return Number{};
  }
}

/// All elements of an output, in order.
template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  if (layer.type == LayerType::kReshape || layer.type == LayerType::kCopy) return inputs[0].data;
  std::vector<Number> elements;
  const TensorShape& shape = layer.outputs[output];
  for (std::int64_t i = 0; i < shape.GetNumElements(); ++i) {
    elements.push_back(EvaluateAt(layer, inputs, output, GetIndices(shape, i)));
  }
  return elements;
}

}  // namespace cpuref_test
}  // namespace backplane
