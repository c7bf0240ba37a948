#pragma once

/// Queries, keys and values of attention, and their products, as CpuAcc recognises them.

#include "nodes/node.hpp"

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// [batch, length, heads * size] becomes [batch, heads, length, size].
/// Errors: kInvalidModel when the last axis cannot be taken apart.
OutputSlot AddHeads(Node& node, OutputSlot input, std::int64_t num_heads,
                    const std::string& suffix);

/// [batch, heads, length, size] becomes [batch, length, heads * size].
OutputSlot AddJoinedHeads(Node& node, OutputSlot heads, const std::string& suffix);

/// Heads [batch, heads, length, size], each so often one after the other that there are as many as
/// queries have.
/// Errors: kInvalidModel when these are no multiple.
OutputSlot AddRepeatedHeads(Node& node, OutputSlot heads, std::int64_t num_queries,
                            const std::string& suffix);

/// Queries times keys, and times `scale`: [batch, heads, queries, keys].
/// Errors: kInvalidModel when heads have different sizes.
OutputSlot AddScores(Node& node, OutputSlot queries, OutputSlot keys, double scale);

/// The scale that a node states, or 1 / sqrt(size of a head).
double ReadAttentionScale(Node& node, OutputSlot queries);

/// The attribute softmax_precision.
/// Errors: kUnsupportedAttribute for what is no type of floating point.
DataType ReadSoftmaxPrecision(Node& node, DataType when_absent);

/// Softmax over the keys.
OutputSlot AddProbabilities(Node& node, OutputSlot scores, const std::string& suffix);

/// Probabilities times values.
OutputSlot AddWeightedValues(Node& node, OutputSlot probabilities, OutputSlot values,
                             const std::string& suffix);

}  // namespace backplane::onnx
