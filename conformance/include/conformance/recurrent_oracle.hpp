#pragma once

/// Recurrent layers for the tests of data types: cases, and the loop over the steps, one number
/// after the other.

#include "conformance/layer_case.hpp"

#include <backplane/api/descriptors/recurrent.hpp>

#include <functional>

namespace backplane {
namespace conformance {

/// A function with parameters for which sums of a few steps stay small.
inline RecurrentGate MakeRandomGate(Random& random) {
  RecurrentGate gate;
  gate.function = static_cast<RecurrentActivation>(random.Word(1, 10));
  gate.alpha = 0.5F;
  gate.beta = gate.function == RecurrentActivation::kHardSigmoid ? 0.25F : 0.75F;
  return gate;
}

/// What the activation of a gate is defined as.
inline long double Activate(const RecurrentGate& gate, float clip, long double x) {
  if (clip > 0) {
    const auto bound = static_cast<long double>(clip);
    x = std::fmin(std::fmax(x, -bound), bound);
  }
  const auto alpha = static_cast<long double>(gate.alpha);
  const auto beta = static_cast<long double>(gate.beta);
  switch (gate.function) {
    case RecurrentActivation::kAffine:
      return alpha * x + beta;
    case RecurrentActivation::kRelu:
      return std::fmax(x, 0.0L);
    case RecurrentActivation::kLeakyRelu:
      return x >= 0 ? x : alpha * x;
    case RecurrentActivation::kThresholdedRelu:
      return x > alpha ? x : 0;
    case RecurrentActivation::kTanH:
      return alpha * std::tanh(beta * x);
    case RecurrentActivation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case RecurrentActivation::kHardSigmoid:
      return std::fmin(1.0L, std::fmax(0.0L, alpha * x + beta));
    case RecurrentActivation::kElu:
      return x >= 0 ? x : alpha * (std::exp(x) - 1);
    case RecurrentActivation::kSoftsign:
      return x / (1 + std::fabs(x));
    case RecurrentActivation::kSoftplus:
      return std::log(1 + std::exp(x));
  }
  return 0;
}

struct RecurrentSizes {
  std::int64_t num_gates = 1;  // blocks of weights
  std::size_t num_outputs = 2;
  std::int64_t steps = 1;
  std::int64_t batch = 1;
  std::int64_t inputs = 1;
  std::int64_t hidden = 1;
  bool has_cell = false;
  bool has_peepholes = false;
};

/// The tensors that a descriptor asks for.
template <typename Descriptor>
LayerCase MakeRecurrent(LayerType type, const Descriptor& descriptor, const RecurrentSizes& sizes) {
  const std::int64_t directions =
      descriptor.direction == RecurrentDirection::kBidirectional ? 2 : 1;
  const bool is_batch_first = descriptor.layout == RecurrentLayout::kBatchFirst;
  const std::int64_t rows = sizes.num_gates * sizes.hidden;
  const TensorShape state = is_batch_first ? TensorShape{sizes.batch, directions, sizes.hidden}
                                           : TensorShape{directions, sizes.batch, sizes.hidden};
  const TensorShape all = is_batch_first
                              ? TensorShape{sizes.batch, sizes.steps, directions, sizes.hidden}
                              : TensorShape{sizes.steps, directions, sizes.batch, sizes.hidden};
  LayerCase layer = MakeCase(type, descriptor,
                             {is_batch_first ? TensorShape{sizes.batch, sizes.steps, sizes.inputs}
                                             : TensorShape{sizes.steps, sizes.batch, sizes.inputs},
                              {directions, rows, sizes.inputs},
                              {directions, rows, sizes.hidden}},
                             all);
  if (descriptor.has_bias == 1) layer.inputs.push_back({directions, 2 * rows});
  if (descriptor.has_sequence_lengths == 1) {
    layer.own_inputs = {{layer.inputs.size(), DataType::kInt64, -1, sizes.steps + 1}};
    layer.inputs.push_back({sizes.batch});
  }
  if (descriptor.has_initial_hidden == 1) layer.inputs.push_back(state);
  if (sizes.has_cell) layer.inputs.push_back(state);
  if (sizes.has_peepholes) layer.inputs.push_back({directions, rows - sizes.hidden});
  layer.outputs.resize(sizes.num_outputs, state);
  return layer;
}

/// Fills in what all descriptors have, and the sizes of the sequences.
template <typename Descriptor>
LayerCase MakeRecurrentCase(LayerType type, Descriptor& descriptor, RecurrentSizes sizes,
                            Random& random) {
  descriptor.direction = static_cast<RecurrentDirection>(random.Word(1, 3));
  descriptor.layout = static_cast<RecurrentLayout>(random.Word(1, 2));
  descriptor.has_bias = random.Word(0, 1);
  descriptor.has_sequence_lengths = random.Word(0, 1);
  descriptor.has_initial_hidden = random.Word(0, 1);
  descriptor.clip = random.Integer(0, 1) == 1 ? 1.5F : 0.0F;
  sizes.steps = random.Integer(1, 3);
  sizes.batch = random.Integer(1, 3);
  sizes.inputs = random.Integer(1, 3);
  sizes.hidden = random.Integer(1, 3);
  LayerCase layer = MakeRecurrent(type, descriptor, sizes);
  for (OwnTensor& lengths : layer.own_inputs) {
    if (random.Integer(0, 1) == 1) lengths.data_type = DataType::kInt32;
  }
  return layer;
}

/// One sequence in one direction: what a cell reads.
class RecurrentReader {
 public:
  template <typename Descriptor>
  RecurrentReader(const Descriptor& descriptor, const Operands<long double>& inputs,
                  std::int64_t direction, std::int64_t sequence)
      : inputs_(inputs),
        is_batch_first_(descriptor.layout == RecurrentLayout::kBatchFirst),
        direction_(direction),
        sequence_(sequence) {
    std::size_t next = 3;
    if (descriptor.has_bias == 1) bias_ = next++;
    if (descriptor.has_sequence_lengths == 1) lengths_ = next++;
    if (descriptor.has_initial_hidden == 1) hidden_ = next++;
    next_ = next;
  }

  std::int64_t GetNumHidden() const { return inputs_[2].shape[2]; }
  std::int64_t GetNumGates() const { return inputs_[2].shape[1] / GetNumHidden(); }

  std::int64_t GetLength() const {
    const std::int64_t steps = inputs_[0].shape[is_batch_first_ ? 1 : 0];
    if (lengths_ == 0) return steps;
    const auto length = static_cast<std::int64_t>(inputs_[lengths_].At({sequence_}));
    return std::min(std::max<std::int64_t>(length, 0), steps);
  }

  /// The sum of what a step of the input gives to a unit of a gate, with the bias.
  long double OfInput(std::int64_t step, std::int64_t gate, std::int64_t unit) const {
    const std::int64_t row = gate * GetNumHidden() + unit;
    long double sum = GetBias(row);
    for (std::int64_t i = 0; i < inputs_[0].shape[2]; ++i) {
      sum += inputs_[1].At({direction_, row, i}) * inputs_[0].At(is_batch_first_
                                                                     ? Indices{sequence_, step, i}
                                                                     : Indices{step, sequence_, i});
    }
    return sum;
  }

  /// The same for the hidden state.
  long double OfHidden(const std::vector<long double>& hidden, std::int64_t gate,
                       std::int64_t unit) const {
    const std::int64_t row = gate * GetNumHidden() + unit;
    long double sum = GetBias(GetNumGates() * GetNumHidden() + row);
    for (std::int64_t i = 0; i < GetNumHidden(); ++i) {
      sum += inputs_[2].At({direction_, row, i}) * hidden[static_cast<std::size_t>(i)];
    }
    return sum;
  }

  /// The initial state that lies `after` the optional inputs that all layers have; negative: that
  /// of the hidden units.
  std::vector<long double> GetInitial(bool is_there, int after = -1) const {
    const std::size_t input = after < 0 ? hidden_ : next_ + static_cast<std::size_t>(after);
    std::vector<long double> state;
    for (std::int64_t i = 0; i < GetNumHidden(); ++i) {
      state.push_back(is_there
                          ? inputs_[input].At(is_batch_first_ ? Indices{sequence_, direction_, i}
                                                              : Indices{direction_, sequence_, i})
                          : 0.0L);
    }
    return state;
  }

  long double GetPeephole(std::size_t after, std::int64_t gate, std::int64_t unit) const {
    return inputs_[next_ + after].At({direction_, gate * GetNumHidden() + unit});
  }

 private:
  long double GetBias(std::int64_t row) const {
    return bias_ == 0 ? 0.0L : inputs_[bias_].At({direction_, row});
  }

  const Operands<long double>& inputs_;
  bool is_batch_first_;
  std::int64_t direction_;
  std::int64_t sequence_;
  std::size_t bias_ = 0;
  std::size_t lengths_ = 0;
  std::size_t hidden_ = 0;
  std::size_t next_ = 3;
};

/// The hidden units after each step, in the order of the input, and the states after the last one.
struct RecurrentRun {
  std::vector<std::vector<long double>> hidden;
  std::vector<std::vector<long double>> last;
};

/// Advances the states of one sequence by one step of the input.
using RecurrentAdvance = std::function<void(std::int64_t step, RecurrentRun& run)>;

inline RecurrentRun RunSequence(std::int64_t length, bool is_reverse, RecurrentRun run,
                                const RecurrentAdvance& advance) {
  run.hidden.resize(static_cast<std::size_t>(length));
  for (std::int64_t count = 0; count < length; ++count) {
    const std::int64_t step = is_reverse ? length - 1 - count : count;
    advance(step, run);
    run.hidden[static_cast<std::size_t>(step)] = run.last[0];
  }
  return run;
}

/// All elements of an output. `run(direction, sequence, is_reverse)` runs one sequence.
template <typename Descriptor, typename Run>
std::vector<long double> EvaluateRecurrent(const LayerCase& layer, std::size_t output,
                                           const Run& run) {
  const auto descriptor = layer.Get<Descriptor>();
  const bool is_batch_first = descriptor.layout == RecurrentLayout::kBatchFirst;
  return EvaluateEach<long double>(layer, output, [&](const Indices& at) {
    const std::size_t first = output == 0 ? 1 : 0;  // of the axes behind the steps
    std::int64_t direction = at[first + (is_batch_first ? 1 : 0)];
    std::int64_t sequence = at[first + (is_batch_first ? 0 : 1)];
    std::int64_t step = at[0];
    if (output == 0 && is_batch_first) {
      sequence = at[0];
      step = at[1];
      direction = at[2];
    }
    const bool is_reverse = descriptor.direction == RecurrentDirection::kReverse || direction == 1;
    const RecurrentRun result = run(direction, sequence, is_reverse);
    const auto unit = static_cast<std::size_t>(at.back());
    if (output > 0) return result.last[output - 1][unit];
    const auto index = static_cast<std::size_t>(step);
    return index < result.hidden.size() ? result.hidden[index][unit] : 0.0L;
  });
}

inline LayerTraits GetRecurrentTraits() {
  LayerTraits traits;
  traits.quantised = QuantisedTypes::kRefused;
  return traits;
}

}  // namespace conformance
}  // namespace backplane
