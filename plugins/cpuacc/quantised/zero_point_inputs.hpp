#pragma once

/// Zero points that are inputs of a layer, as bytes: input 2 has those of input 0, input 3 those of
/// input 1.

#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

std::int32_t ReadByte(DataType type, const void* bytes, std::int64_t index);

/// The zero points of one operand.
class ZeroPointInput {
 public:
  /// Of a node whose inputs 2 and 3, where they are there, are zero points; `operand` is 0 or 1.
  ZeroPointInput(const KernelMaker& maker, std::uint32_t operand);
  /// One that is no input, but known.
  explicit ZeroPointInput(std::int32_t value) : count_(1), values_{value} {}

  /// The same `count` of a run that sees a part of them: whatever they are, they are unknown.
  ZeroPointInput GetPart(std::int64_t count) const;

  bool IsThere() const { return count_ > 0; }
  std::int64_t GetCount() const { return count_; }
  std::uint32_t GetInput() const { return input_; }
  /// Before the run; 0, when there are none.
  bool AreKnown() const { return !IsThere() || !values_.empty(); }
  /// Whether there is one for all elements: one alone, or all are known and equal.
  bool AreOne() const;

  /// Where there are fewer than asked for, they repeat.
  std::int32_t GetKnown(std::int64_t index) const;
  std::int32_t Read(const KernelRun& run, std::int64_t index) const;

 private:
  std::uint32_t input_ = 0;
  DataType type_ = DataType::kUndefined;
  std::int64_t count_ = 0;
  std::vector<std::int32_t> values_;  // of a constant
};

/// Those of both operands.
struct ZeroPointInputs {
  explicit ZeroPointInputs(const KernelMaker& maker) : elements(maker, 0), weights(maker, 1) {}
  ZeroPointInputs(const ZeroPointInput& of_elements, const ZeroPointInput& of_weights)
      : elements(of_elements), weights(of_weights) {}

  ZeroPointInput elements;
  ZeroPointInput weights;
};

/// Runs a kernel that wants zero points which are known only in the run, one for each operand, as
/// int32 in the place of inputs 2 and 3; those of the weights less `weight_shift`.
std::unique_ptr<const Kernel> MakeWithWideZeroPoints(const KernelMaker& maker,
                                                     const ZeroPointInputs& zero_points,
                                                     std::int32_t weight_shift,
                                                     std::unique_ptr<const Kernel> kernel);

}  // namespace cpuacc
}  // namespace backplane
