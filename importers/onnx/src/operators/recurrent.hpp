#pragma once

/// What LSTM, GRU and RNN have in common.

#include "nodes/node.hpp"

#include <backplane/api/descriptors/recurrent.hpp>

#include <string>
#include <vector>

namespace backplane::onnx {

/// The activations of all directions, one after the other: those that the node states, or else
/// `defaults` for each direction, with the parameters that go with them.
/// Errors: kInvalidModel, kUnsupportedAttribute.
std::vector<RecurrentGate> ReadGates(Node& node, const std::vector<std::string>& defaults,
                                     RecurrentDirection direction);

/// Errors: kUnsupportedAttribute.
RecurrentDirection ReadDirection(Node& node);

/// Reads what all have, and checks hidden_size against the recurrent weights.
/// Errors: kInvalidModel, kUnsupportedAttribute.
template <typename Descriptor>
void ReadRecurrent(Node& node, Descriptor& descriptor);

/// The inputs 0, 1 and 2, and those of the others that the node has.
std::vector<OutputSlot> GetRecurrentInputs(Node& node);

/// Names as many outputs as the operator has.
void SetRecurrentOutputs(Node& node, OutputSlot first, std::uint32_t num_outputs);

/// 0 when the node has no clip.
float ReadClip(Node& node);
RecurrentLayout ReadLayout(Node& node);
/// Errors: kInvalidModel when it is stated and not that of the recurrent weights.
void CheckHiddenSize(Node& node);

template <typename Descriptor>
void ReadRecurrent(Node& node, Descriptor& descriptor) {
  CheckHiddenSize(node);
  descriptor.direction = ReadDirection(node);
  descriptor.layout = ReadLayout(node);
  descriptor.clip = ReadClip(node);
  descriptor.has_bias = node.HasInput(3) ? 1 : 0;
  descriptor.has_sequence_lengths = node.HasInput(4) ? 1 : 0;
  descriptor.has_initial_hidden = node.HasInput(5) ? 1 : 0;
  // Says whether all states are wanted; they are made anyway. Until operator set 6.
  if (node.GetOpset() < 7) node.GetAttributes().Ignore("output_sequence");
}

}  // namespace backplane::onnx
