#pragma once

#include "elements/compute_type.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace reference {

/// Turns the stored elements of one tensor into numbers of its ComputeType, and back. Storing
/// rounds floats to nearest, ties to even; cuts integers off to their lowest bits; and gives
/// quantised elements round-half-to-even(real / scale) + zero point, saturated, where NaN counts as
/// 0.
///
/// Threads: any.
class ElementConversion {
 public:
  explicit ElementConversion(const TensorInfo& info);

  /// Whether the elements are stored as something else than what is calculated with.
  bool IsNeeded() const { return convert_.widen != nullptr; }

  /// Of all elements, as numbers.
  std::uint64_t GetComputedBytes() const;

  void Widen(const void* stored, void* computed) const;
  void Narrow(const void* computed, void* stored) const;

 private:
  /// A run of elements with one scale and zero point, which are read only when quantised.
  struct Run {
    std::int64_t begin;
    std::int64_t count;
    double scale;
    double zero_point;
  };
  using Function = void (*)(const void* from, void* to, const Run& run);
  struct Functions {
    Function widen = nullptr;
    Function narrow = nullptr;
  };

  template <typename Stored, typename Computed>
  struct Plain;
  template <typename Stored>
  struct Quantized;

  static Functions FindFunctions(const TensorInfo& info);
  void ForEachRun(Function convert, const void* from, void* to) const;

  Functions convert_;
  QuantizationInfo quantization_;
  std::int64_t num_elements_;
  std::int64_t run_elements_;  // with one scale
};

}  // namespace reference
}  // namespace backplane
