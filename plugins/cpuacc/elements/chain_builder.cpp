#include "elements/chain_builder.hpp"

#include "cpu_layers/refusal.hpp"
#include "layout/channel_blocks.hpp"
#include "memory/aligned_memory.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

std::vector<std::int64_t> GetExtents(const std::vector<PhysicalAxis>& axes) {
  std::vector<std::int64_t> extents;
  for (const PhysicalAxis& axis : axes) extents.push_back(axis.extent);
  return extents;
}

ElementSource MakeInput(std::uint32_t index) {
  ElementSource source;
  source.index = index;
  return source;
}

ElementSource MakeConstant(std::shared_ptr<const void> content) {
  ElementSource source;
  source.kind = ElementSource::Kind::kConstant;
  source.constant = std::move(content);
  return source;
}

/// The order in which the elements of a tensor lie, in words that tell it from others.
std::string DescribeOrder(const TensorShape& shape, const std::vector<PhysicalAxis>& axes) {
  std::string text = cpu_layers::DescribeShape(shape);
  for (const PhysicalAxis& axis : axes) {
    text += ", axis " + std::to_string(axis.axis) + " by " + std::to_string(axis.step) + " up to " +
            std::to_string(axis.extent);
  }
  return text;
}

std::shared_ptr<const void> CopyPadded(const PaddedOperand& padded, const float* plain) {
  const auto count = static_cast<std::uint64_t>(padded.GetNumElements());
  std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  padded.Copy(plain, static_cast<float*>(content.get()));
  return content;
}

}  // namespace

ChainBuilder::ChainBuilder(KernelMaker& maker, const Layout& layout, std::vector<PhysicalAxis> axes)
    : maker_(maker),
      simd_(GetSimdFunctions()),
      layout_(layout),
      axes_(std::move(axes)),
      shape_(maker.GetOutput().info.shape) {
  chain_.cost = 0;
}

void ChainBuilder::BeginWithInput() {
  padding_ = AddInput(0).padding;
}

void ChainBuilder::BeginInPlace() {
  ElementSource output;
  output.kind = ElementSource::Kind::kOutput;
  AddTensor(std::move(output), GetOwnStrides());
  padding_ = 0.0F;
}

void ChainBuilder::AddConversion() {
  chain_.steps.push_back(MakeIntegerStep(simd_));
}

void ChainBuilder::AddScales(const std::vector<float>& scales) {
  const std::uint64_t size_bytes = scales.size() * sizeof(float);
  std::shared_ptr<void> content = AllocateAligned(size_bytes);
  std::memcpy(content.get(), scales.data(), size_bytes);
  Strides strides(axes_.size());
  strides.back() = 1;
  const std::size_t tensor = AddTensor(MakeConstant(std::move(content)), std::move(strides));
  chain_.steps.push_back(MakeStep(simd_, MakeBinary(BinaryOperation::kMul, 1, false), tensor));
  chain_.cost += 1;
}

void ChainBuilder::Add(const ElementOp& op) {
  constexpr std::size_t kKeptForMask = 1;
  if (chain_.sources.size() + kKeptForMask == RowCursor::kMaxTensors) {
    const std::optional<float> padding = padding_;
    FinishKernel();
    BeginInPlace();
    padding_ = padding;
  }
  chain_.cost += GetCost(op);
  const Operand operand = HasOperand(op) ? AddOperand(op.operand) : Operand();
  if (HasOperand(op) && !operand.number) {
    chain_.steps.push_back(MakeStep(simd_, op, operand.tensor));
  } else {
    chain_.steps.push_back(MakeStep(simd_, op, operand.number));
  }
  FollowPadding(op, operand);
}

std::vector<std::unique_ptr<const Kernel>> ChainBuilder::Finish() {
  if (HasPadding(shape_, axes_) && padding_ != 0.0F) MaskPadding();
  FinishKernel();
  return std::move(kernels_);
}

/// What the operation makes of the padding.
void ChainBuilder::FollowPadding(const ElementOp& op, const Operand& operand) {
  if (!padding_ || (HasOperand(op) && !operand.padding)) {
    padding_.reset();
    return;
  }
  const ElementStep step = MakeStep(simd_, op, operand.padding);
  float result = *padding_;
  step.map(&result, &result, 1, step.alpha, step.beta);
  padding_ = result;
}

void ChainBuilder::MaskPadding() {
  const PaddedOperand mask = PaddedOperand::OfPadding(shape_, axes_);
  const std::vector<float> ones(static_cast<std::size_t>(mask.GetNumElements()), 1.0F);
  const std::size_t tensor =
      AddTensor(MakeConstant(CopyPadded(mask, ones.data())), mask.GetStrides());
  chain_.steps.push_back(MakeMaskStep(simd_, tensor));
}

void ChainBuilder::FinishKernel() {
  chain_.cost += 1;
  chain_.loops = MakeElementLoops(GetExtents(axes_), std::move(strides_));
  kernels_.push_back(MakeElementKernel(std::move(chain_)));
  chain_ = ElementChain();
  strides_.clear();
}

ChainBuilder::Operand ChainBuilder::AddOperand(std::uint32_t input) {
  Operand operand;
  float number = 0.0F;
  if (!GetUniformFloat(maker_.GetInput(input), &number)) return AddInput(input);
  maker_.IgnoreInput(input);
  operand.number = number;
  operand.padding = number;
  return operand;
}

ChainBuilder::Operand ChainBuilder::AddInput(std::uint32_t input) {
  return maker_.GetInput(input).IsConstant() ? AddConstant(input) : AddVariable(input);
}

ChainBuilder::Operand ChainBuilder::AddVariable(std::uint32_t input) {
  const TensorShape& shape = maker_.GetInput(input).info.shape;
  Operand operand;
  operand.padding = FindPadding(shape);
  if (shape == shape_) {
    maker_.WantInput(input, layout_);
    operand.tensor = AddTensor(MakeInput(input), GetOwnStrides());
    operand.padding = 0.0F;
    return operand;
  }
  PaddedOperand padded(shape, shape_, axes_);
  if (HasBlocksOfOutput(input)) {
    operand.tensor = AddTensor(MakeInput(input), padded.GetStrides());
    return operand;
  }
  maker_.WantPlain(input);
  Strides strides = FindPlainStrides(shape, shape_, axes_);
  ElementSource source = MakeInput(input);
  if (strides.size() != axes_.size()) {
    strides = padded.GetStrides();
    source.padding = std::move(padded);
  }
  operand.tensor = AddTensor(std::move(source), std::move(strides));
  return operand;
}

/// A constant that would be read in single elements is copied into the order of the output.
ChainBuilder::Operand ChainBuilder::AddConstant(std::uint32_t input) {
  const GraphTensor& constant = maker_.GetInput(input);
  const TensorShape& shape = constant.info.shape;
  Operand operand;
  operand.padding = FindPadding(shape);
  Strides strides = FindPlainStrides(shape, shape_, axes_);
  if (strides.size() == axes_.size() && (strides.empty() || strides.back() <= 1)) {
    operand.tensor = AddTensor(MakeInput(input), std::move(strides));
  } else if (shape == shape_ && !layout_.IsPlain()) {
    operand.padding = 0.0F;
    operand.tensor = AddTensor(
        MakeConstant(maker_.Pack(input, DescribePlain(constant.info), layout_.GetBlocked())),
        GetOwnStrides());
  } else {
    const PaddedOperand padded(shape, shape_, axes_);
    auto copy = maker_.PackTogether({input}, "padded to " + DescribeOrder(shape_, axes_),
                                    [&] { return CopyPadded(padded, GetFloats(constant)); });
    operand.tensor = AddTensor(MakeConstant(std::move(copy)), padded.GetStrides());
  }
  return operand;
}

std::size_t ChainBuilder::AddTensor(ElementSource source, Strides strides) {
  chain_.sources.push_back(std::move(source));
  strides_.push_back(std::move(strides));
  return strides_.size() - 1;
}

/// An operand that broadcasts along other axes than the channels can lie in blocks of channels, as
/// the output does.
bool ChainBuilder::HasBlocksOfOutput(std::uint32_t input) const {
  const std::int64_t block = GetChannelBlock(maker_.GetOutput().info, layout_);
  const TensorInfo& info = maker_.GetInput(input).info;
  return block != 0 && info.shape.rank == shape_.rank && info.shape[1] == shape_[1] &&
         shape_[1] != 1 && GetChannelBlock(info, maker_.GetLayout(input)) == block;
}

std::optional<float> ChainBuilder::FindPadding(const TensorShape& shape) const {
  if (VariesAlongPadding(shape, shape_, axes_)) return 0.0F;
  return {};
}

/// Those of what lies as the output does.
Strides ChainBuilder::GetOwnStrides() const {
  Strides strides(axes_.size());
  std::int64_t stride = 1;
  for (std::size_t axis = axes_.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= axes_[axis].extent;
  }
  return strides;
}

}  // namespace cpuacc
}  // namespace backplane
