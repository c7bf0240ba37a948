#pragma once

/// What a step does to a block of units of a row, for each kind of cell. A step has kVectors sums
/// for a block, which begin as Start says; the products of GetFactors with the part of GetMatrix
/// for the block are added, and Finish makes states of them. `unit` is the first of the block.

#include "simd/functions/exponentials.hpp"
#include "simd/functions/vectors.hpp"
#include "simd/recurrent_functions.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// Not inline: it is the rare case.
inline __attribute__((noinline)) void MapAny(const RecurrentCell& cell, int function, float* x) {
  if (cell.clip > 0.0F) {
    for (int i = 0; i < kLanes; ++i) {
      const float bounded_below = x[i] < -cell.clip ? -cell.clip : x[i];
      x[i] = bounded_below > cell.clip ? cell.clip : bounded_below;
    }
  }
  const GateFunction& gate = cell.functions[function];
  gate.map(x, x, kLanes, gate.alpha, gate.beta);
}

struct AnyFunctions {
  static CPUACC_INLINE Vector ApplyAny(const RecurrentCell& cell, int function, Vector x) {
    Lanes lanes = ToLanes(x);
    MapAny(cell, function, lanes.at);
    return ToVector(lanes);
  }
  static CPUACC_INLINE Vector ApplySigmoid(const RecurrentCell& cell, Vector x) {
    return ApplyAny(cell, 0, x);
  }
  static CPUACC_INLINE Vector ApplyTanH(const RecurrentCell& cell, int function, Vector x) {
    return ApplyAny(cell, function, x);
  }
};

/// Those of most layers, in registers.
struct UsualFunctions {
  static CPUACC_INLINE Vector ApplySigmoid(const RecurrentCell&, Vector x) {
    return MapLanes(x, [](float element) { return SigmoidGate(element); });
  }
  static CPUACC_INLINE Vector ApplyTanH(const RecurrentCell&, int, Vector x) {
    return MapLanes(x, [](float element) { return Tanh(element); });
  }
};

CPUACC_INLINE void StoreHidden(const RecurrentCell& cell, const RecurrentRow& row,
                               std::int64_t unit, Vector hidden) {
  Store(hidden, row.after + unit);
  StoreFirst(hidden, cell.num_hidden - unit, row.output + unit);
}

template <typename Functions>
struct RnnStep {
  static constexpr int kVectors = 1;

  static const float* GetFactors(const RecurrentRow& row) { return row.before; }
  static const float* GetMatrix(const RecurrentCell& cell) { return cell.weights.hidden; }

  static CPUACC_INLINE void Start(const RecurrentCell&, const RecurrentRow& row, std::int64_t unit,
                                  Vector (&sums)[kVectors]) {
    sums[0] = Load(row.gates + unit);
  }

  static CPUACC_INLINE void Finish(const RecurrentCell& cell, const RecurrentRow& row,
                                   std::int64_t unit, const Vector (&sums)[kVectors]) {
    StoreHidden(cell, row, unit, Functions::ApplyTanH(cell, 0, sums[0]));
  }
};

/// The gates are input, output, forget, cell.
template <typename Functions>
struct LstmStep {
  static constexpr int kVectors = 4;

  static const float* GetFactors(const RecurrentRow& row) { return row.before; }
  static const float* GetMatrix(const RecurrentCell& cell) { return cell.weights.hidden; }

  static CPUACC_INLINE void Start(const RecurrentCell&, const RecurrentRow& row, std::int64_t unit,
                                  Vector (&sums)[kVectors]) {
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = Load(row.gates + unit * kVectors + v * kLanes);
    }
  }

  static CPUACC_INLINE Vector LoadPeephole(const RecurrentCell& cell, std::int64_t unit, int gate) {
    if (cell.weights.peepholes == nullptr) return Vector{};
    return Load(cell.weights.peepholes + unit * 3 + gate * kLanes);
  }

  static CPUACC_INLINE void Finish(const RecurrentCell& cell, const RecurrentRow& row,
                                   std::int64_t unit, const Vector (&sums)[kVectors]) {
    Vector state = Load(row.cell + unit);
    const bool has_peepholes = cell.weights.peepholes != nullptr;
    const auto peep = [&](Vector sum, int gate) {
      return has_peepholes ? sum + state * LoadPeephole(cell, unit, gate) : sum;
    };
    const Vector input = Functions::ApplySigmoid(cell, peep(sums[0], 0));
    const Vector forget =
        cell.has_input_forget ? 1.0F - input : Functions::ApplySigmoid(cell, peep(sums[2], 2));
    state = forget * state + input * Functions::ApplyTanH(cell, 1, sums[3]);
    Store(state, row.cell + unit);
    // The output gate sees the new state of the cell.
    const Vector output = Functions::ApplySigmoid(cell, peep(sums[1], 1));
    StoreHidden(cell, row, unit, output * Functions::ApplyTanH(cell, 2, state));
  }
};

CPUACC_INLINE Vector Mix(Vector update, Vector candidate, Vector before) {
  return (1.0F - update) * candidate + update * before;
}

/// The gates are update, reset, hidden.
template <typename Functions>
struct GruLinearStep {
  static constexpr int kVectors = 3;

  static const float* GetFactors(const RecurrentRow& row) { return row.before; }
  static const float* GetMatrix(const RecurrentCell& cell) { return cell.weights.hidden; }

  static CPUACC_INLINE void Start(const RecurrentCell& cell, const RecurrentRow& row,
                                  std::int64_t unit, Vector (&sums)[kVectors]) {
    sums[0] = Load(row.gates + unit * 3);
    sums[1] = Load(row.gates + unit * 3 + kLanes);
    sums[2] = Load(cell.weights.hidden_bias + unit);
  }

  static CPUACC_INLINE void Finish(const RecurrentCell& cell, const RecurrentRow& row,
                                   std::int64_t unit, const Vector (&sums)[kVectors]) {
    const Vector update = Functions::ApplySigmoid(cell, sums[0]);
    const Vector reset = Functions::ApplySigmoid(cell, sums[1]);
    const Vector of_input = Load(row.gates + unit * 3 + 2 * kLanes);
    const Vector candidate = Functions::ApplyTanH(cell, 1, of_input + reset * sums[2]);
    StoreHidden(cell, row, unit, Mix(update, candidate, Load(row.before + unit)));
  }
};

/// The first half of a step where the hidden state is reset before the product.
template <typename Functions>
struct GruResetStep {
  static constexpr int kVectors = 2;

  static const float* GetFactors(const RecurrentRow& row) { return row.before; }
  static const float* GetMatrix(const RecurrentCell& cell) { return cell.weights.hidden; }

  static CPUACC_INLINE void Start(const RecurrentCell&, const RecurrentRow& row, std::int64_t unit,
                                  Vector (&sums)[kVectors]) {
    sums[0] = Load(row.gates + unit * 3);
    sums[1] = Load(row.gates + unit * 3 + kLanes);
  }

  static CPUACC_INLINE void Finish(const RecurrentCell& cell, const RecurrentRow& row,
                                   std::int64_t unit, const Vector (&sums)[kVectors]) {
    Store(Functions::ApplySigmoid(cell, sums[0]), row.update + unit);
    const Vector reset = Functions::ApplySigmoid(cell, sums[1]);
    Store(reset * Load(row.before + unit), row.reset + unit);
  }
};

/// The second half.
template <typename Functions>
struct GruStep {
  static constexpr int kVectors = 1;

  static const float* GetFactors(const RecurrentRow& row) { return row.reset; }
  static const float* GetMatrix(const RecurrentCell& cell) { return cell.weights.candidate; }

  static CPUACC_INLINE void Start(const RecurrentCell&, const RecurrentRow& row, std::int64_t unit,
                                  Vector (&sums)[kVectors]) {
    sums[0] = Load(row.gates + unit * 3 + 2 * kLanes);
  }

  static CPUACC_INLINE void Finish(const RecurrentCell& cell, const RecurrentRow& row,
                                   std::int64_t unit, const Vector (&sums)[kVectors]) {
    const Vector candidate = Functions::ApplyTanH(cell, 1, sums[0]);
    StoreHidden(cell, row, unit, Mix(Load(row.update + unit), candidate, Load(row.before + unit)));
  }
};

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
