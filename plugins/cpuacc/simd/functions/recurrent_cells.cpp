#include "simd/functions/functions.hpp"
#include "simd/functions/recurrent_steps.hpp"
#include "simd/functions/row_products.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

template <typename Step, int kRows>
CPUACC_INLINE void AdvanceAtOnce(const RecurrentCell& cell, const RecurrentRow* rows,
                                 std::int64_t unit) {
  const float* factors[kRows];
  Vector sums[kRows][Step::kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    factors[r] = Step::GetFactors(rows[r]);
    Step::Start(cell, rows[r], unit, sums[r]);
  }
  AddRowProducts(factors, cell.num_hidden,
                 Step::GetMatrix(cell) + unit * Step::kVectors * cell.num_hidden, sums);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) Step::Finish(cell, rows[r], unit, sums[r]);
}

template <typename Step>
void AdvanceBlocks(const RecurrentCell& cell, const RecurrentRow* rows, std::int64_t num_rows,
                   UnitBlocks blocks) {
  for (std::int64_t unit = blocks.first * kLanes; unit < blocks.last * kLanes; unit += kLanes) {
    ForRows(
        num_rows,
        [&](std::int64_t row) { AdvanceAtOnce<Step, kRowsAtOnce>(cell, rows + row, unit); },
        [&](std::int64_t row) { AdvanceAtOnce<Step, 1>(cell, rows + row, unit); });
  }
}

template <template <typename> class Step>
void Advance(const RecurrentCell& cell, const RecurrentRow* rows, std::int64_t num_rows,
             UnitBlocks blocks) {
  if (cell.has_usual_functions) {
    AdvanceBlocks<Step<UsualFunctions>>(cell, rows, num_rows, blocks);
  } else {
    AdvanceBlocks<Step<AnyFunctions>>(cell, rows, num_rows, blocks);
  }
}

template <int kGates, int kRows>
CPUACC_INLINE void ProjectAtOnce(const RecurrentCell& cell, const float* inputs, std::int64_t unit,
                                 std::int64_t row_size, float* gates) {
  const float* factors[kRows];
  Vector sums[kRows][kGates];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    factors[r] = inputs + r * cell.num_inputs;
#pragma GCC unroll 4
    for (int v = 0; v < kGates; ++v) {
      sums[r][v] = Load(cell.weights.bias + unit * kGates + v * kLanes);
    }
  }
  AddRowProducts(factors, cell.num_inputs, cell.weights.input + unit * kGates * cell.num_inputs,
                 sums);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kGates; ++v) {
      Store(sums[r][v], gates + r * row_size + unit * kGates + v * kLanes);
    }
  }
}

template <int kGates>
void Project(const RecurrentCell& cell, const float* inputs, std::int64_t num_rows,
             UnitBlocks blocks, std::int64_t row_blocks, float* gates) {
  const std::int64_t row_size = row_blocks * kGates * kLanes;
  for (std::int64_t unit = blocks.first * kLanes; unit < blocks.last * kLanes; unit += kLanes) {
    ForRows(
        num_rows,
        [&](std::int64_t row) {
          ProjectAtOnce<kGates, kRowsAtOnce>(cell, inputs + row * cell.num_inputs, unit, row_size,
                                             gates + row * row_size);
        },
        [&](std::int64_t row) {
          ProjectAtOnce<kGates, 1>(cell, inputs + row * cell.num_inputs, unit, row_size,
                                   gates + row * row_size);
        });
  }
}

}  // namespace

void FillRecurrentCells(RecurrentFunctions& functions) {
  functions.lanes = kLanes;
  const auto set = [&functions](RecurrentCellKind kind, ProjectInputs project,
                                AdvanceRows advance) {
    functions.project[static_cast<int>(kind)] = project;
    functions.advance[static_cast<int>(kind)] = advance;
  };
  set(RecurrentCellKind::kRnn, &Project<1>, &Advance<RnnStep>);
  set(RecurrentCellKind::kLstm, &Project<4>, &Advance<LstmStep>);
  set(RecurrentCellKind::kGru, &Project<3>, &Advance<GruStep>);
  set(RecurrentCellKind::kGruWithLinearProduct, &Project<3>, &Advance<GruLinearStep>);
  functions.reset = &Advance<GruResetStep>;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
