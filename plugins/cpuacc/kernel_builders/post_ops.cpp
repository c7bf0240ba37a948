#include "kernel_builders/post_ops.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::algorithm;
using dnnl::memory;

// On ARM with SVE, oneDNN 2.6 leaves HardSwish out behind convolutions.
#ifdef __x86_64__
constexpr algorithm kHardSwish = algorithm::eltwise_hardswish;
#else
constexpr algorithm kHardSwish = algorithm::undef;
#endif

/// What oneDNN computes of one element, alone.
struct Eltwise {
  algorithm name = algorithm::undef;
  float alpha = 0.0F;
  float beta = 0.0F;
};

Eltwise FindActivation(const ElementOp& op) {
  switch (op.activation) {
    case ActivationFunction::kRelu:
      return {algorithm::eltwise_relu, 0.0F, 0.0F};
    case ActivationFunction::kBoundedRelu:
      if (op.beta > op.alpha) return {};
      return {algorithm::eltwise_clip, op.beta, op.alpha};
    case ActivationFunction::kLeakyRelu:
      return {algorithm::eltwise_relu, op.alpha, 0.0F};
    case ActivationFunction::kSigmoid:
      return {algorithm::eltwise_logistic, 0.0F, 0.0F};
    case ActivationFunction::kElu:
      return {algorithm::eltwise_elu, op.alpha, 0.0F};
    case ActivationFunction::kGelu:
      return {algorithm::eltwise_gelu_erf, 0.0F, 0.0F};
    case ActivationFunction::kGeluTanH:
      return {algorithm::eltwise_gelu_tanh, 0.0F, 0.0F};
    case ActivationFunction::kHardSwish:
      return {kHardSwish, 0.0F, 0.0F};
    case ActivationFunction::kSwish:
      return {algorithm::eltwise_swish, op.alpha, 0.0F};
    case ActivationFunction::kLinear:
      return {algorithm::eltwise_linear, op.alpha, op.beta};
    default:
      return {};
  }
}

bool IsOne(float value) {
  return !(value < 1.0F) && !(value > 1.0F);
}

Eltwise FindUnary(UnaryOperation operation) {
  switch (operation) {
    case UnaryOperation::kAbs:
      return {algorithm::eltwise_abs, 0.0F, 0.0F};
    case UnaryOperation::kNegate:
      return {algorithm::eltwise_linear, -1.0F, 0.0F};
    case UnaryOperation::kSqrt:
      return {algorithm::eltwise_sqrt, 0.0F, 0.0F};
    default:
      return {};
  }
}

/// An operation whose operand is the same number for all elements.
Eltwise FindUniform(const ElementOp& op, float value) {
  switch (op.binary) {
    case BinaryOperation::kAdd:
      return {algorithm::eltwise_linear, 1.0F, value};
    case BinaryOperation::kSub:
      return op.operand_is_first ? Eltwise{algorithm::eltwise_linear, -1.0F, value}
                                 : Eltwise{algorithm::eltwise_linear, 1.0F, -value};
    case BinaryOperation::kMul:
      return {algorithm::eltwise_linear, value, 0.0F};
    default:
      return {};
  }
}

Eltwise FindEltwise(const KernelMaker& maker, const ElementOp& op) {
  float value = 0.0F;
  switch (op.kind) {
    case ElementOp::Kind::kActivation:
      if (op.activation == ActivationFunction::kTanH && IsOne(op.alpha) && IsOne(op.beta)) {
        return {algorithm::eltwise_tanh, 0.0F, 0.0F};
      }
      return FindActivation(op);
    case ElementOp::Kind::kUnary:
      return FindUnary(op.unary);
    case ElementOp::Kind::kBinary:
      return GetUniformFloat(maker.GetInput(op.operand), &value) ? FindUniform(op, value)
                                                                 : Eltwise();
    default:
      return {};
  }
}

algorithm FindBinary(const ElementOp& op) {
  if (op.kind != ElementOp::Kind::kBinary) return algorithm::undef;
  switch (op.binary) {
    case BinaryOperation::kAdd:
      return algorithm::binary_add;
    case BinaryOperation::kMul:
      return algorithm::binary_mul;
    case BinaryOperation::kSub:
      return op.operand_is_first ? algorithm::undef : algorithm::binary_sub;
    case BinaryOperation::kDiv:
      return op.operand_is_first ? algorithm::undef : algorithm::binary_div;
    default:
      return algorithm::undef;
  }
}

/// How an operand meets the output: one number, one for each channel, or one for each element.
/// Empty: otherwise.
memory::dims FindOperandDims(const TensorShape& operand, const TensorShape& output,
                             const memory::dims& dims, std::size_t channel_axis) {
  memory::dims ones(dims.size(), 1);
  const std::int64_t count = operand.GetNumElements();
  if (count == 1) return ones;
  if (operand == output) return dims;
  // The axis of the output with all of the operand's elements must be that of the channels.
  const std::uint32_t behind = static_cast<std::uint32_t>(dims.size() - channel_axis - 1);
  if (count != dims[channel_axis] || behind >= operand.rank || output.rank <= behind ||
      operand[operand.rank - 1 - behind] != count || output[output.rank - 1 - behind] != count) {
    return {};
  }
  ones[channel_axis] = count;
  return ones;
}

/// oneDNN 2.6 computes a second operation of one kind with the numbers of the first in some of its
/// kernels.
bool HasEltwise(const dnnl::post_ops& ops, algorithm name) {
  for (int index = 0; index < ops.len(); ++index) {
    if (ops.kind(index) != dnnl::primitive::kind::eltwise) continue;
    float scale = 1.0F;
    float alpha = 0.0F;
    float beta = 0.0F;
    algorithm found = algorithm::undef;
    ops.get_params_eltwise(index, scale, found, alpha, beta);
    if (found == name) return true;
  }
  return false;
}

/// Appends the operation; false when oneDNN has none that does the same.
bool Append(const KernelMaker& maker, const memory::dims& dims, std::size_t channel_axis,
            const ElementOp& op, FusedOps& fused) {
  const Eltwise eltwise = FindEltwise(maker, op);
  if (eltwise.name != algorithm::undef) {
    if (HasEltwise(fused.ops, eltwise.name)) return false;
    fused.ops.append_eltwise(1.0F, eltwise.name, eltwise.alpha, eltwise.beta);
    return true;
  }
  if (op.kind == ElementOp::Kind::kActivation &&
      op.activation == ActivationFunction::kHardSigmoid) {
    if (HasEltwise(fused.ops, algorithm::eltwise_linear) ||
        HasEltwise(fused.ops, algorithm::eltwise_clip)) {
      return false;
    }
    fused.ops.append_eltwise(1.0F, algorithm::eltwise_linear, op.alpha, op.beta);
    fused.ops.append_eltwise(1.0F, algorithm::eltwise_clip, 0.0F, 1.0F);
    return true;
  }
  const algorithm binary = FindBinary(op);
  if (binary == algorithm::undef) return false;
  const memory::dims operand = FindOperandDims(maker.GetInput(op.operand).info.shape,
                                               maker.GetOutput().info.shape, dims, channel_axis);
  if (operand.empty()) return false;
  const bool is_whole = operand == dims;
  const memory::desc desc = is_whole ? DescribeAny(operand, DataType::kFloat32)
                                     : DescribePlain(operand, DataType::kFloat32);
  fused.operands.push_back({op.operand, fused.ops.len(), desc, is_whole});
  fused.ops.append_binary(binary, desc);
  return true;
}

}  // namespace

std::size_t CountFusableOps(const KernelMaker& maker, const memory::dims& dims,
                            std::size_t channel_axis) {
  constexpr int kMostPostOps = 30;
  FusedOps fused;
  std::size_t count = 0;
  for (const ElementOp& op : maker.GetNode().chain) {
    if (fused.ops.len() >= kMostPostOps || !Append(maker, dims, channel_axis, op, fused)) break;
    ++count;
  }
  return count;
}

FusedOps FuseOps(const KernelMaker& maker, const memory::dims& dims, std::size_t channel_axis,
                 std::size_t count) {
  FusedOps fused;
  for (std::size_t index = 0; index < count; ++index) {
    Append(maker, dims, channel_axis, maker.GetNode().chain[index], fused);
  }
  return fused;
}

void TakeFusedOps(KernelMaker& maker, const FusedOps& fused, std::size_t count,
                  const memory::desc& output, std::vector<PrimitiveArgument>& arguments) {
  maker.TakeOps(count);
  for (const FusedOperand& operand : fused.operands) {
    if (operand.is_whole) {
      maker.WantInput(operand.input, maker.GetOutputLayout());
    } else {
      maker.WantPlain(operand.input);
    }
    arguments.push_back(FromInput(DNNL_ARG_ATTR_MULTIPLE_POST_OP(operand.position) | DNNL_ARG_SRC_1,
                                  operand.is_whole ? output : operand.desc, operand.input));
  }
}

}  // namespace cpuacc
}  // namespace backplane
