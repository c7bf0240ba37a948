#pragma once

/// What can be done to each element of an array of float32.

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// y[i] = f(x[i]), with two numbers that mean what the function says. `y` may be `x`.
using MapFunction = void (*)(const float* x, float* y, std::int64_t count, float alpha, float beta);

/// y[i] = f(a[i], b[i]). `y` may be `a` or `b`.
using CombineFunction = void (*)(const float* a, const float* b, float* y, std::int64_t count);

/// A function of two numbers.
struct BinaryFunctions {
  CombineFunction of_arrays = nullptr;  // f(a[i], b[i])
  MapFunction of_second = nullptr;      // f(alpha, x[i])
  MapFunction of_first = nullptr;       // f(x[i], alpha)
};

/// Indexed by the number of the function or operation. Each is right for infinities and NaN, and
/// for all numbers to within a few units in the last place.
struct ElementFunctions {
  static constexpr std::size_t kNumActivations =
      static_cast<std::size_t>(ActivationFunction::kLinear) + 1;
  static constexpr std::size_t kNumUnaryOperations =
      static_cast<std::size_t>(UnaryOperation::kRound) + 1;
  static constexpr std::size_t kNumBinaryOperations =
      static_cast<std::size_t>(BinaryOperation::kSquaredDifference) + 1;

  MapFunction activations[kNumActivations] = {};
  MapFunction unary[kNumUnaryOperations] = {};
  BinaryFunctions binary[kNumBinaryOperations] = {};
  BinaryFunctions prelu;             // of x and the slope
  BinaryFunctions mask;              // of x and what is 0 where x becomes 0
  MapFunction square = nullptr;      // x * x
  MapFunction cube = nullptr;        // x * x * x
  MapFunction from_int32 = nullptr;  // the number whose bits, as an int32, x has
};

}  // namespace cpuacc
}  // namespace backplane
