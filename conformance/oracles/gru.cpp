#include "conformance/limits.hpp"
#include "conformance/recurrent_oracle.hpp"

#include <backplane/api/descriptors/gru.hpp>

namespace backplane {
namespace conformance {
namespace gru {

/// The gates of a unit are in the order update, reset, hidden.
RecurrentRun RunOne(const GruDescriptor& descriptor, const Operands<long double>& inputs,
                    std::int64_t direction, std::int64_t sequence, bool is_reverse) {
  const RecurrentReader reader(descriptor, inputs, direction, sequence);
  const auto& gates = descriptor.gates[direction];
  const auto activate = [&](int gate, long double x) {
    return Activate(gates[gate], descriptor.clip, x);
  };
  RecurrentRun start;
  start.last = {reader.GetInitial(descriptor.has_initial_hidden == 1)};
  return RunSequence(
      reader.GetLength(), is_reverse, start, [&](std::int64_t step, RecurrentRun& run) {
        const std::vector<long double> before = run.last[0];
        const auto get_gate = [&](std::int64_t gate, std::int64_t unit) {
          return activate(0,
                          reader.OfInput(step, gate, unit) + reader.OfHidden(before, gate, unit));
        };
        std::vector<long double> reset = before;
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          reset[static_cast<std::size_t>(unit)] *= get_gate(1, unit);
        }
        for (std::int64_t unit = 0; unit < reader.GetNumHidden(); ++unit) {
          const long double recurrent = descriptor.linear_before_reset == 1
                                            ? get_gate(1, unit) * reader.OfHidden(before, 2, unit)
                                            : reader.OfHidden(reset, 2, unit);
          const long double candidate = activate(1, reader.OfInput(step, 2, unit) + recurrent);
          const long double update = get_gate(0, unit);
          const auto at = static_cast<std::size_t>(unit);
          run.last[0][at] = (1 - update) * candidate + update * before[at];
        }
      });
}

std::vector<LayerCase> MakeCases(Random& random) {
  GruDescriptor descriptor;
  for (auto& gates : descriptor.gates) {
    for (RecurrentGate& gate : gates) gate = MakeRandomGate(random);
  }
  descriptor.linear_before_reset = random.Word(0, 1);
  return {MakeRecurrentCase(LayerType::kGru, descriptor, {3}, random)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  if constexpr (kIsReal<Number>) {
    return EvaluateRecurrent<GruDescriptor>(
        layer, output, [&](std::int64_t direction, std::int64_t sequence, bool is_reverse) {
          return RunOne(layer.Get<GruDescriptor>(), inputs, direction, sequence, is_reverse);
        });
  }
  return {};
}

/// Update 0, reset 0.5, and a bias of 8 of the recurrent weights of the hidden gate.
EdgeCase Reset(std::uint32_t linear_before_reset, long double expected) {
  GruDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_hidden = 1;
  descriptor.linear_before_reset = linear_before_reset;
  descriptor.gates[0][1] = {RecurrentActivation::kAffine, 1, 0};
  return {MakeRecurrent(LayerType::kGru, descriptor, {3}),
          {{0}, {0, 0, 0}, {0, 0, 2}, {-200, 0, 0, 0, 0, 8}, {3}},
          {{expected}, {expected}}};
}

std::vector<EdgeCase> MakeEdges() {
  GruDescriptor unread;
  unread.gates[1][0].function = RecurrentActivation{11};
  return {
      // The state is reset, or its product.
      Reset(0, 0.5L * 3 * 2 + 8),
      Reset(1, 0.5L * (3 * 2 + 8)),
      // Gates of a direction that there is not are not looked at.
      {MakeRecurrent(LayerType::kGru, unread, {3})},
  };
}

/// With one tensor of another shape: 5 steps of 2 sequences of 3 inputs, and 4 hidden units.
RefusedCase RefuseInput(std::size_t input, const TensorShape& shape, const char* diagnostic,
                        const char* found, const char* expected, const std::string& reason) {
  GruDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_hidden = 1;
  LayerCase layer = MakeRecurrent(LayerType::kGru, descriptor, {3, 2, 5, 2, 3, 4});
  layer.inputs[input] = shape;
  return {layer, diagnostic, found, expected, reason};
}

RefusedCase RefuseDescriptor(const GruDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {MakeRecurrent(LayerType::kGru, descriptor, {3}), "invalid-descriptor", found, expected,
          reason};
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<GruDescriptor> wrong(8);
  wrong[0].direction = RecurrentDirection{4};
  wrong[1].layout = RecurrentLayout{0};
  wrong[2].clip = -1.0F;
  wrong[3].linear_before_reset = 2;
  wrong[4].has_bias = 7;
  wrong[5].gates[0][0].function = RecurrentActivation{11};
  for (const std::size_t i : {6U, 7U}) wrong[i].direction = RecurrentDirection::kBidirectional;
  wrong[6].gates[1][0].function = RecurrentActivation{11};
  wrong[7].gates[1][0].alpha = kInfinity;
  GruDescriptor biased;
  biased.has_bias = 1;
  LayerCase unbiased = MakeRecurrent(LayerType::kGru, biased, {3});
  unbiased.inputs.pop_back();
  GruDescriptor timed;
  timed.has_sequence_lengths = 1;
  LayerCase floats = MakeRecurrent(LayerType::kGru, timed, {3});
  floats.own_inputs.clear();
  const char* const unknown =
      "activation 11 is not supported, only Affine (1), Relu (2), LeakyRelu (3), ThresholdedRelu "
      "(4), TanH (5), Sigmoid (6), HardSigmoid (7), Elu (8), Softsign (9) and Softplus (10)";
  return {
      {unbiased, "invalid-descriptor", "found 3", "expected 4",
       "the layer has 3 inputs, but its flags say 4"},
      {floats, "wrong-data-type", "float32 [1]", "int32, int64",
       "data type float32 of input 3 is not supported, only int32 or int64"},
      RefuseInput(0, {5, 3}, "wrong-rank", "[5, 3]", "[S, N, I]",
                  "input 0 has rank 2, but must have rank 3"),
      RefuseInput(1, {1, 16, 3}, "wrong-shape", "extent 16",
                  "3 times H, the last extent of the recurrent weights",
                  "input 1 (weights) has shape [1, 16, 3], but must have [1, 12, 3]"),
      RefuseInput(1, {2, 12, 3}, "wrong-shape", "extent 2", "the number of directions",
                  "input 1 (weights) has shape [2, 12, 3], but must have [1, 12, 3]"),
      RefuseInput(1, {1, 12, 4}, "wrong-shape", "extent 4", "I of the input",
                  "input 1 (weights) has shape [1, 12, 4], but must have [1, 12, 3]"),
      RefuseInput(3, {1, 5}, "wrong-shape", "extent 5", "6 times H",
                  "input 3 (bias) has shape [1, 5], but must have [1, 24]"),
      RefuseInput(4, {1, 3, 4}, "wrong-shape", "extent 3", "N of the input",
                  "input 4 (initial hidden state) has shape [1, 3, 4], but must have [1, 2, 4]"),
      // The state of the other layout.
      RefuseInput(4, {2, 1, 4}, "wrong-shape", "extent 2", "the number of directions",
                  "input 4 (initial hidden state) has shape [2, 1, 4], but must have [1, 2, 4]"),
      RefuseDescriptor(
          wrong[0], "number 4", "Forward, Reverse or Bidirectional",
          "direction 4 is not supported, only Forward (1), Reverse (2) and Bidirectional (3)"),
      RefuseDescriptor(wrong[1], "number 0", "StepsFirst or BatchFirst",
                       "layout 0 is not supported, only StepsFirst (1) and BatchFirst (2)"),
      RefuseDescriptor(wrong[2], "-1", "0 or more", "clip must be finite and 0 or more"),
      RefuseDescriptor(wrong[3], "found 2", "0 or 1",
                       "linear_before_reset is 2, but must be 0 or 1"),
      RefuseDescriptor(wrong[4], "found 7", "0 or 1", "has_bias is 7, but must be 0 or 1"),
      RefuseDescriptor(wrong[5], "number 11", "Softsign or Softplus", unknown),
      RefuseDescriptor(wrong[6], "number 11", "Softsign or Softplus", unknown),
      RefuseDescriptor(wrong[7], "alpha inf", "finite numbers",
                       "alpha and beta of activation 0 must be finite"),
  };
}

}  // namespace gru

BACKPLANE_ORACLE(Gru, gru, GetRecurrentTraits());

}  // namespace conformance
}  // namespace backplane
