#include "recurrent/packed_weights.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kNumPeepholes = 3;

const float* FindInput(const void* const* inputs, std::uint32_t index) {
  return index == cpu_layers::kNoInput ? nullptr : static_cast<const float*>(inputs[index]);
}

}  // namespace

WeightPacking::WeightPacking(const RecurrentShape& shape, RecurrentCellKind kind,
                             std::int64_t lanes)
    : shape_(shape),
      kind_(kind),
      lanes_(lanes),
      num_blocks_(shape.hidden / lanes + (shape.hidden % lanes == 0 ? 0 : 1)) {
  const std::int64_t units = num_blocks_ * lanes;
  bias_ = units * shape.num_gates * shape.inputs;
  hidden_ = bias_ + units * shape.num_gates;
  const std::int64_t last_gates = kind == RecurrentCellKind::kGru ? 1 : 0;
  candidate_ = hidden_ + units * (shape.num_gates - last_gates) * shape.hidden;
  hidden_bias_ = candidate_ + units * last_gates * shape.hidden;
  peepholes_ = hidden_bias_ + (kind == RecurrentCellKind::kGruWithLinearProduct ? units : 0);
  size_ = peepholes_ + (shape.peepholes == cpu_layers::kNoInput ? 0 : units * kNumPeepholes);
}

RecurrentWeights WeightPacking::Find(const float* packed, std::int64_t direction) const {
  packed += direction * size_;
  RecurrentWeights weights;
  weights.input = packed;
  weights.bias = packed + bias_;
  weights.hidden = packed + hidden_;
  weights.candidate = packed + candidate_;
  weights.hidden_bias = packed + hidden_bias_;
  weights.peepholes = shape_.peepholes == cpu_layers::kNoInput ? nullptr : packed + peepholes_;
  return weights;
}

void WeightPacking::Pack(const void* const* inputs, float* packed) const {
  std::fill_n(packed, GetSize(), 0.0F);
  for (std::int64_t direction = 0; direction < shape_.directions; ++direction) {
    PackDirection(inputs, direction, packed + direction * size_);
  }
}

void WeightPacking::PackDirection(const void* const* inputs, std::int64_t direction,
                                  float* packed) const {
  const std::int64_t gates = shape_.num_gates;
  const std::int64_t rows = gates * shape_.hidden;
  PackMatrix(FindInput(inputs, 1) + direction * rows * shape_.inputs, shape_.inputs, {0, gates},
             packed);
  const float* hidden = FindInput(inputs, 2) + direction * rows * shape_.hidden;
  if (kind_ == RecurrentCellKind::kGru) {
    PackMatrix(hidden, shape_.hidden, {0, 2}, packed + hidden_);
    PackMatrix(hidden, shape_.hidden, {2, 1}, packed + candidate_);
  } else {
    PackMatrix(hidden, shape_.hidden, {0, gates}, packed + hidden_);
  }
  if (const float* bias = FindInput(inputs, shape_.bias)) {
    PackBias(bias + direction * 2 * rows, packed);
  }
  if (const float* peepholes = FindInput(inputs, shape_.peepholes)) {
    peepholes += direction * kNumPeepholes * shape_.hidden;
    for (std::int64_t index = 0; index < kNumPeepholes; ++index) {
      PackVector(peepholes + index * shape_.hidden, index, kNumPeepholes, packed + peepholes_);
    }
  }
}

/// Rows are those of all gates of all units.
void WeightPacking::PackMatrix(const float* rows, std::int64_t num_columns, Gates gates,
                               float* packed) const {
  for (std::int64_t gate = 0; gate < gates.count; ++gate) {
    for (std::int64_t unit = 0; unit < shape_.hidden; ++unit) {
      const float* row = rows + ((gates.first + gate) * shape_.hidden + unit) * num_columns;
      float* target = packed + unit / lanes_ * num_columns * gates.count * lanes_ + gate * lanes_ +
                      unit % lanes_;
      for (std::int64_t column = 0; column < num_columns; ++column) {
        target[column * gates.count * lanes_] = row[column];
      }
    }
  }
}

/// The biases of both products, one behind the other. They are added up but where the reset gate
/// multiplies the one product alone.
void WeightPacking::PackBias(const float* bias, float* packed) const {
  const std::int64_t gates = shape_.num_gates;
  for (std::int64_t gate = 0; gate < gates; ++gate) {
    const float* of_input = bias + gate * shape_.hidden;
    const float* of_hidden = of_input + gates * shape_.hidden;
    PackVector(of_input, gate, gates, packed + bias_);
    if (kind_ == RecurrentCellKind::kGruWithLinearProduct && gate == gates - 1) {
      PackVector(of_hidden, 0, 1, packed + hidden_bias_);
    } else {
      PackVector(of_hidden, gate, gates, packed + bias_);
    }
  }
}

/// Adds a number for each unit to the vector `index` of the `count` that lie in each block.
void WeightPacking::PackVector(const float* vector, std::int64_t index, std::int64_t count,
                               float* packed) const {
  for (std::int64_t unit = 0; unit < shape_.hidden; ++unit) {
    packed[(unit / lanes_ * count + index) * lanes_ + unit % lanes_] += vector[unit];
  }
}

}  // namespace cpuacc
}  // namespace backplane
