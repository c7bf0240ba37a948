#pragma once

/// What the descriptors of recurrent layers have in common.

#include <cstdint>

namespace backplane {

/// In which order the steps of a sequence are taken. Numbers are never reused.
enum class RecurrentDirection : std::uint32_t {
  kForward = 1,
  kReverse = 2,        // each sequence from its last step to its first
  kBidirectional = 3,  // both, with weights of their own: the first is kForward
};

/// The order of the axes; S steps, N sequences, D directions, H hidden units.
enum class RecurrentLayout : std::uint32_t {
  kStepsFirst = 1,  // inputs [S, N, ...], outputs [S, D, N, H], states [D, N, H]
  kBatchFirst = 2,  // inputs [N, S, ...], outputs [N, S, D, H], states [N, D, H]
};

/// What is applied at a gate.
enum class RecurrentActivation : std::uint32_t {
  kAffine = 1,           // alpha * x + beta
  kRelu = 2,             // max(0, x)
  kLeakyRelu = 3,        // x >= 0 ? x : alpha * x
  kThresholdedRelu = 4,  // x > alpha ? x : 0
  kTanH = 5,             // alpha * tanh(beta * x)
  kSigmoid = 6,          // 1 / (1 + exp(-x))
  kHardSigmoid = 7,      // min(1, max(0, alpha * x + beta))
  kElu = 8,              // x >= 0 ? x : alpha * (exp(x) - 1)
  kSoftsign = 9,         // x / (1 + |x|)
  kSoftplus = 10,        // log(1 + exp(x))
};

/// An activation with its parameters.
struct RecurrentGate {
  RecurrentActivation function = RecurrentActivation::kSigmoid;
  float alpha = 1.0F;
  float beta = 1.0F;
};

/// The most directions that a recurrent layer has.
constexpr std::uint32_t kMaxDirections = 2;

}  // namespace backplane
