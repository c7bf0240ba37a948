#pragma once

#include "cpu_layers/recurrent_layer.hpp"
#include "kernel.hpp"
#include "kernels/matrix_multiply.hpp"
#include "kernels/recurrent_refusal.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace backplane {
namespace reference {

/// What a cell has at one step of one direction. Matrices of rows are dense.
template <typename Number>
struct RecurrentStep {
  std::uint32_t direction;
  const Number* weights;      // recurrent, [gates * H, H]
  const Number* bias;         // of the recurrent weights, [gates * H]; null: none
  const Number* peepholes;    // null: none
  const Number* const* rows;  // for each sequence, what its input gives to the gates: [gates * H];
                              // null: the sequence is over
  Number* gates;              // [N, gates * H], for the cell to use
  Number* hidden;             // [N, H], before and after the step
  Number* cell;               // [N, H], likewise; null for cells that have none
};

/// Sets each of the N rows to the bias, or to 0, and adds the product of the hidden states with the
/// recurrent weights. Only the gates from `first` to before `last`.
template <typename Number>
void MultiplyHidden(const RecurrentShape& shape, const RecurrentStep<Number>& step,
                    const Number* hidden, std::int64_t first, std::int64_t last, Number* result) {
  MatrixProduct product;
  product.rows = shape.batch;
  product.inner = shape.hidden;
  product.columns = (last - first) * shape.hidden;
  product.a = MakeMatrixLayout(shape.hidden, false);
  product.b = MakeMatrixLayout(shape.hidden, true);
  for (std::int64_t n = 0; n < shape.batch; ++n) {
    Number* row = result + n * product.columns;
    if (step.bias == nullptr) {
      std::fill_n(row, product.columns, Number{});
    } else {
      std::copy_n(step.bias + first * shape.hidden, product.columns, row);
    }
  }
  AddMatrixProduct(product, hidden, step.weights + first * shape.hidden * shape.hidden, result);
}

/// Takes sequences through the steps of all directions. The products of the inputs with the weights
/// are made at once for all steps. `Cell` has `kHasCellState`, `GetNumGateElements(shape)`, the
/// scratch elements that it calls gates, and `Advance(shape, step)`.
template <typename Number, typename Cell>
class RecurrentKernel : public Kernel {
 public:
  RecurrentKernel(const RecurrentShape& shape, Cell cell)
      : shape_(shape), cell_(std::move(cell)), num_gates_(shape.num_gates * shape.hidden) {}

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t num_states = shape_.batch * shape_.hidden;
    const std::int64_t num_numbers = shape_.steps * shape_.batch * num_gates_ +
                                     cell_.GetNumGateElements(shape_) + 2 * num_states;
    return static_cast<std::uint64_t>(shape_.batch) * sizeof(const Number*) +
           static_cast<std::uint64_t>(num_numbers) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    for (std::uint32_t direction = 0; direction < shape_.directions; ++direction) {
      RunDirection(tensors, direction);
    }
  }

 private:
  /// Places in scratch memory.
  struct Scratch {
    const Number** rows;
    Number* projected;  // what all inputs give to the gates
    Number* gates;
    Number* hidden;
    Number* cell;
  };

  Scratch Place(const RunTensors& tensors) const {
    Scratch scratch;
    scratch.rows = tensors.GetScratch<const Number*>();
    scratch.projected = reinterpret_cast<Number*>(scratch.rows + shape_.batch);
    scratch.gates = scratch.projected + shape_.steps * shape_.batch * num_gates_;
    scratch.hidden = scratch.gates + cell_.GetNumGateElements(shape_);
    scratch.cell = scratch.hidden + shape_.batch * shape_.hidden;
    return scratch;
  }

  const Number* FindOptional(const RunTensors& tensors, std::uint32_t input) const {
    return input == kNoInput ? nullptr : tensors.Input<Number>(input);
  }

  void RunDirection(const RunTensors& tensors, std::uint32_t direction) const {
    const Scratch scratch = Place(tensors);
    const Number* bias = FindOptional(tensors, shape_.bias);
    if (bias != nullptr) bias += direction * 2 * num_gates_;
    const Number* peepholes = FindOptional(tensors, shape_.peepholes);
    if (peepholes != nullptr) peepholes += direction * (num_gates_ - shape_.hidden);

    ProjectInputs(tensors, direction, bias, scratch.projected);
    StartState(FindOptional(tensors, shape_.initial_hidden), direction, scratch.hidden);
    StartState(FindOptional(tensors, shape_.initial_cell), direction, scratch.cell);
    RecurrentStep<Number> step;
    step.direction = direction;
    step.weights = tensors.Input<Number>(2) + direction * num_gates_ * shape_.hidden;
    step.bias = bias == nullptr ? nullptr : bias + num_gates_;
    step.peepholes = peepholes;
    step.rows = scratch.rows;
    step.gates = scratch.gates;
    step.hidden = scratch.hidden;
    step.cell = Cell::kHasCellState ? scratch.cell : nullptr;
    for (std::int64_t count = 0; count < shape_.steps; ++count) {
      TakeStep(tensors, count, scratch, step);
    }
    StoreState(scratch.hidden, direction, tensors.Output<Number>(1));
    if constexpr (Cell::kHasCellState)
      StoreState(scratch.cell, direction, tensors.Output<Number>(2));
  }

  void ProjectInputs(const RunTensors& tensors, std::uint32_t direction, const Number* bias,
                     Number* projected) const {
    MatrixProduct product;
    product.rows = shape_.steps * shape_.batch;
    product.inner = shape_.inputs;
    product.columns = num_gates_;
    product.a = MakeMatrixLayout(shape_.inputs, false);
    product.b = MakeMatrixLayout(shape_.inputs, true);
    for (std::int64_t row = 0; row < product.rows; ++row) {
      if (bias == nullptr) {
        std::fill_n(projected + row * num_gates_, num_gates_, Number{});
      } else {
        std::copy_n(bias, num_gates_, projected + row * num_gates_);
      }
    }
    const Number* weights = tensors.Input<Number>(1) + direction * num_gates_ * shape_.inputs;
    AddMatrixProduct(product, tensors.Input<Number>(0), weights, projected);
  }

  void StartState(const Number* initial, std::uint32_t direction, Number* state) const {
    for (std::int64_t n = 0; n < shape_.batch; ++n) {
      Number* row = state + n * shape_.hidden;
      if (initial == nullptr) {
        std::fill_n(row, shape_.hidden, Number{});
      } else {
        std::copy_n(initial + shape_.GetStateRow(direction, n) * shape_.hidden, shape_.hidden, row);
      }
    }
  }

  void StoreState(const Number* state, std::uint32_t direction, Number* output) const {
    for (std::int64_t n = 0; n < shape_.batch; ++n) {
      std::copy_n(state + n * shape_.hidden, shape_.hidden,
                  output + shape_.GetStateRow(direction, n) * shape_.hidden);
    }
  }

  std::int64_t GetLength(const RunTensors& tensors, std::int64_t sequence) const {
    if (shape_.lengths == kNoInput) return shape_.steps;
    const std::int64_t length = tensors.Input<std::int64_t>(shape_.lengths)[sequence];
    return std::min(std::max<std::int64_t>(length, 0), shape_.steps);
  }

  /// The `count`-th step of each sequence: in reverse, their last steps are the first.
  void TakeStep(const RunTensors& tensors, std::int64_t count, const Scratch& scratch,
                const RecurrentStep<Number>& step) const {
    const bool is_reverse = shape_.is_reverse || step.direction == 1;
    const auto get_position = [&](std::int64_t length) {
      return is_reverse && count < length ? length - 1 - count : count;
    };
    for (std::int64_t n = 0; n < shape_.batch; ++n) {
      const std::int64_t length = GetLength(tensors, n);
      const std::int64_t row = shape_.GetInputRow(get_position(length), n);
      scratch.rows[n] = count < length ? scratch.projected + row * num_gates_ : nullptr;
    }
    cell_.Advance(shape_, step);
    auto* output = tensors.Output<Number>(0);
    for (std::int64_t n = 0; n < shape_.batch; ++n) {
      const std::int64_t position = get_position(GetLength(tensors, n));
      Number* row = output + shape_.GetHiddenRow(position, step.direction, n) * shape_.hidden;
      if (scratch.rows[n] == nullptr) {
        std::fill_n(row, shape_.hidden, Number{});
      } else {
        std::copy_n(step.hidden + n * shape_.hidden, shape_.hidden, row);
      }
    }
  }

  const RecurrentShape shape_;
  const Cell cell_;
  const std::int64_t num_gates_;  // of all gates, their elements
};

}  // namespace reference
}  // namespace backplane
