#pragma once

#include "test/passes/pass_case.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace backplane {
namespace cpuacc_test {

/// Grows a network of layers that passes remove, merge and move, from a seed. All tensors have four
/// axes, and numbers stay small.
class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint32_t seed, std::int64_t height = 4)
      : network_(seed), engine_(seed) {
    tensors_ = {network_.AddInput({1, 6, height, 2}), network_.AddInput({1, 6, height, 2})};
  }

  NetworkCase Make(int num_layers) {
    for (int layer = 0; layer < num_layers; ++layer) tensors_.push_back(AddLayer(PickTensor()));
    network_.AddOutput(tensors_.back());
    network_.AddOutput(tensors_[tensors_.size() / 2]);
    return network_;
  }

 private:
  int Pick(int count) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(count)); }

  /// One of the last, so that chains grow long.
  TensorId PickTensor() {
    const auto most = static_cast<int>(tensors_.size());
    return tensors_[static_cast<std::size_t>(most - 1 - Pick(std::min(most, 3)))];
  }

  TensorId AddLayer(TensorId x) {
    switch (Pick(13)) {
      case 0:
        return AddBounded(x);
      case 1:
        return AddBinary(network_, PickOperation(), x, 0.5F * static_cast<float>(1 + Pick(3)));
      case 2:
        return AddBinary(network_, PickOperation(), x, AddOperand(x));
      case 3:
        return AddBinary(network_, BinaryOperation::kAdd, x, FindLike(x));
      case 4:
        return AddBinary(network_, BinaryOperation::kSub, FindLike(x), x);
      case 5:
        return AddPointwise(network_, AddBounded(x), 6, Pick(2) == 0);
      case 6:
        return AddNormalization(x);
      case 7:
        return AddTranspose(network_, x, Pick(2) == 0 ? kTurns[0] : kTurns[1]);
      case 8:
        return AddReshape(network_, x, PickShape(x));
      case 9:
        return AddBinary(network_, BinaryOperation::kMul, x,
                         AddActivation(network_, x, ActivationFunction::kSigmoid));
      case 10:
        return AddBinary(network_, BinaryOperation::kSub, x,
                         AddReduce(network_, ReduceOperation::kMean, x, 2));
      case 11:
        return AddJoin(x);
      default:
        return AddPart(x);
    }
  }

  BinaryOperation PickOperation() {
    constexpr BinaryOperation kOperations[] = {BinaryOperation::kAdd, BinaryOperation::kSub,
                                               BinaryOperation::kMul, BinaryOperation::kMaximum};
    return kOperations[Pick(4)];
  }

  TensorId AddBounded(TensorId x) {
    constexpr ActivationFunction kFunctions[] = {
        ActivationFunction::kTanH, ActivationFunction::kSigmoid, ActivationFunction::kSoftsign};
    return AddActivation(network_, x, kFunctions[Pick(3)]);
  }

  /// A constant for each channel, for each column, or for each element.
  TensorId AddOperand(TensorId x) {
    const TensorShape& shape = network_.GetShape(x);
    const TensorShape shapes[] = {{shape[1], 1, 1}, {shape[3]}, shape};
    return network_.AddConstant(shapes[Pick(3)]);
  }

  /// Another tensor of the same shape, or the same one.
  TensorId FindLike(TensorId x) {
    for (int tries = 0; tries < 4; ++tries) {
      const TensorId other =
          tensors_[static_cast<std::size_t>(Pick(static_cast<int>(tensors_.size())))];
      if (network_.GetShape(other) == network_.GetShape(x)) return other;
    }
    return x;
  }

  TensorId AddNormalization(TensorId x) {
    const TensorShape shape = network_.GetShape(x);
    std::vector<TensorId> inputs = {x};
    for (int index = 0; index < 3; ++index) inputs.push_back(network_.AddConstant({shape[1]}));
    inputs.push_back(network_.AddConstant({shape[1]}, 0.8F));
    return network_.Add(LayerType::kBatchNormalization, BatchNormalizationDescriptor(), inputs,
                        shape);
  }

  TensorShape PickShape(TensorId x) {
    const TensorShape& shape = network_.GetShape(x);
    const TensorShape shapes[] = {{1, shape[1], 1, shape[2] * shape[3]},
                                  {1, shape[1], shape[2] * shape[3], 1},
                                  {1, shape[1] * shape[2], shape[3], 1},
                                  shape};
    return shapes[Pick(4)];
  }

  TensorId AddJoin(TensorId x) {
    const TensorId other = FindLike(x);
    TensorShape shape = network_.GetShape(x);
    if (shape[1] > 24) return x;
    shape[1] *= 2;
    ConcatDescriptor descriptor;
    descriptor.axis = 1;
    return network_.Add(LayerType::kConcat, descriptor, {x, other}, shape);
  }

  /// All but one line, or all.
  TensorId AddPart(TensorId x) {
    TensorShape shape = network_.GetShape(x);
    SliceDescriptor descriptor;
    const auto axis = static_cast<std::uint32_t>(1 + Pick(3));
    if (shape[axis] > 1 && Pick(2) == 0) {
      descriptor.starts[axis] = Pick(2);
      --shape[axis];
    }
    for (std::uint32_t other = 0; other < 4; ++other) descriptor.extents[other] = shape[other];
    return network_.Add(LayerType::kSlice, descriptor, {x}, shape);
  }

  const std::vector<std::uint32_t> kTurns[2] = {{0, 1, 3, 2}, {0, 3, 1, 2}};

  NetworkCase network_;
  std::mt19937 engine_;
  std::vector<TensorId> tensors_;
};

}  // namespace cpuacc_test
}  // namespace backplane
