#include "quantised/zero_point_inputs.hpp"

#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

class WideZeroPoints : public Kernel {
 public:
  WideZeroPoints(const KernelMaker& maker, const ZeroPointInputs& zero_points,
                 std::int32_t weight_shift, std::unique_ptr<const Kernel> kernel)
      : num_inputs_(maker.GetNumInputs()),
        zero_points_(zero_points),
        weight_shift_(weight_shift),
        kernel_(std::move(kernel)) {}

  std::uint64_t GetScratchBytes() const override {
    return GetInputsBytes() + kAlignmentBytes + kernel_->GetScratchBytes();
  }

  std::unique_ptr<KernelState> MakeState() const override { return kernel_->MakeState(); }

  void Run(const KernelRun& run) const override {
    auto* scratch = run.GetScratch<unsigned char>();
    auto** inputs = reinterpret_cast<void**>(scratch);
    auto* wide = reinterpret_cast<std::int32_t*>(scratch + GetInputsBytes());
    std::copy_n(run.inputs, num_inputs_, inputs);
    Widen(run, zero_points_.elements, 0, inputs, wide);
    Widen(run, zero_points_.weights, weight_shift_, inputs, wide + 1);
    KernelRun inner = run;
    inner.inputs = inputs;
    inner.scratch = scratch + GetInputsBytes() + kAlignmentBytes;
    kernel_->Run(inner);
  }

 private:
  static void Widen(const KernelRun& run, const ZeroPointInput& zero_point, std::int32_t shift,
                    void** inputs, std::int32_t* wide) {
    if (zero_point.AreKnown()) return;
    *wide = zero_point.Read(run, 0) - shift;
    inputs[zero_point.GetInput()] = wide;
  }

  std::uint64_t GetInputsBytes() const { return RoundUp(num_inputs_ * sizeof(void*)); }

  const std::uint32_t num_inputs_;
  const ZeroPointInputs zero_points_;
  const std::int32_t weight_shift_;
  const std::unique_ptr<const Kernel> kernel_;
};

}  // namespace

std::int32_t ReadByte(DataType type, const void* bytes, std::int64_t index) {
  return type == DataType::kInt8 ? static_cast<const std::int8_t*>(bytes)[index]
                                 : static_cast<const std::uint8_t*>(bytes)[index];
}

ZeroPointInput::ZeroPointInput(const KernelMaker& maker, std::uint32_t operand)
    : input_(operand + 2), type_(maker.GetInput(operand).info.data_type) {
  if (CountLayerInputs(maker.GetNode()) <= input_) return;
  const GraphTensor& tensor = maker.GetInput(input_);
  count_ = tensor.info.shape.GetNumElements();
  if (!tensor.IsConstant()) return;
  for (std::int64_t i = 0; i < count_; ++i) {
    values_.push_back(ReadByte(type_, tensor.content.get(), i));
  }
}

ZeroPointInput ZeroPointInput::GetPart(std::int64_t count) const {
  ZeroPointInput part = *this;
  part.count_ = count;
  part.values_.clear();
  return part;
}

bool ZeroPointInput::AreOne() const {
  if (count_ <= 1 || values_.empty()) return count_ <= 1;
  return std::all_of(values_.begin(), values_.end(),
                     [&](std::int32_t value) { return value == values_[0]; });
}

std::int32_t ZeroPointInput::GetKnown(std::int64_t index) const {
  return IsThere() ? values_[static_cast<std::size_t>(index % count_)] : 0;
}

std::int32_t ZeroPointInput::Read(const KernelRun& run, std::int64_t index) const {
  if (AreKnown()) return GetKnown(index);
  return ReadByte(type_, run.inputs[input_], index % count_);
}

std::unique_ptr<const Kernel> MakeWithWideZeroPoints(const KernelMaker& maker,
                                                     const ZeroPointInputs& zero_points,
                                                     std::int32_t weight_shift,
                                                     std::unique_ptr<const Kernel> kernel) {
  if (zero_points.elements.AreKnown() && zero_points.weights.AreKnown()) return kernel;
  return std::make_unique<WideZeroPoints>(maker, zero_points, weight_shift, std::move(kernel));
}

}  // namespace cpuacc
}  // namespace backplane
