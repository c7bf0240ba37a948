#include "convolutions/convolution_operands.hpp"

#include "kernel_builders/bfloat16_products.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

using dnnl::memory;

namespace {

bool HasInputZeroPoint(const dnnl::primitive_desc_base& desc) {
  int mask = 0;
  std::vector<std::int32_t> zero_points;
  desc.get_primitive_attr().get_zero_points(DNNL_ARG_SRC, mask, zero_points);
  return std::any_of(zero_points.begin(), zero_points.end(),
                     [](std::int32_t zero_point) { return zero_point != 0; });
}

}  // namespace

ConvolutionOperands::ConvolutionOperands(KernelMaker& maker, const ConvolutionDims& dims,
                                         const memory::desc& plain_weights)
    : maker_(maker),
      dims_(dims),
      plain_weights_(plain_weights),
      has_bias_(cpuacc::HasBias(maker.GetNode())) {
  if (has_bias_) bias_ = DescribePlain(maker.GetInput(2).info);
}

void ConvolutionOperands::SetBias(const std::vector<std::int32_t>& bias) {
  const auto content = std::make_shared<std::vector<std::int32_t>>(bias);
  own_bias_ = std::shared_ptr<const void>(content, content->data());
  has_bias_ = true;
  bias_ = DescribePlain({static_cast<std::int64_t>(bias.size())}, DataType::kInt32);
}

memory::desc ConvolutionOperands::DescribeWeights(memory::data_type input_type) const {
  const GraphTensor& weights = maker_.GetInput(1);
  if (!weights.IsConstant()) return plain_weights_;
  const memory::desc desc = DescribeAny(dims_.weights, weights.info.data_type);
  return input_type == memory::data_type::bf16 ? ToBfloat16(desc) : desc;
}

// oneDNN 2.6 takes zero points of padding off wrongly for volumes, and with AMX for windows of one
// element and for unusual padding; random ones of usual windows were all right. With AMX, results
// are also wrong, and the process may end, where windows leave out some rows, in any axis; and
// dilated windows of volumes reach beside padding.
bool ConvolutionOperands::IsWrong(const dnnl::primitive_desc_base& desc) const {
  constexpr std::size_t kAxesOfVolumes = 3;
  const bool is_volume = dims_.strides.size() == kAxesOfVolumes;
  const bool has_zero_point = HasInputZeroPoint(desc);
  if (is_volume && has_zero_point && dims_.IsPadded()) return true;
  const std::string implementation = desc.impl_info_str();
  if (implementation.find("amx") == std::string::npos) return false;
  if (implementation.find("brgconv:") == 0) return dims_.LeavesRowsOut();
  if (implementation.find("jit_1x1:") == 0) return has_zero_point;
  if (implementation.find("jit:") != 0) return false;
  return (is_volume && dims_.IsDilated()) ||
         (has_zero_point && dims_.IsPadded() && !HasUsualWindows());
}

// Usual windows see all of the input, lie at most by half beside it, and also beside columns.
bool ConvolutionOperands::HasUsualWindows() const {
  if (dims_.IsDilated() || dims_.LeavesRowsOut()) return false;
  const std::size_t first = dims_.weights.size() - dims_.strides.size();
  for (std::size_t axis = 0; axis < dims_.strides.size(); ++axis) {
    const memory::dim half = dims_.weights[first + axis] / 2;
    if (dims_.pads_begin[axis] > half || dims_.pads_end[axis] > half) return false;
  }
  return dims_.pads_begin.back() != 0 || dims_.pads_end.back() != 0;
}

ConvolutionCuts ConvolutionOperands::FindCuts(const dnnl::primitive_desc_base& whole,
                                              bool has_rows) const {
  ConvolutionCuts cuts;
  int mask = 0;
  std::vector<float> scales;
  whole.get_primitive_attr().get_output_scales(mask, scales);
  cuts.has_channels = mask == 0;
  cuts.has_rows = has_rows;
  const std::size_t rows = dims_.weights.size() - dims_.strides.size();
  cuts.stride = dims_.strides[0];
  cuts.row_extent = (dims_.weights[rows] - 1) * (dims_.dilations[0] + 1) + 1;
  return cuts;
}

void ConvolutionOperands::TakeLayouts(const memory::desc& input, const memory::desc& output) {
  const bool is_rounded = input.data_type() == memory::data_type::bf16;
  maker_.WantInput(0,
                   dims_.ToLayout(is_rounded ? ToFloat32(input) : input, maker_.GetInput(0).info));
  maker_.SetOutput(0, dims_.ToLayout(output, maker_.GetOutput().info));
}

std::vector<PrimitiveArgument> ConvolutionOperands::TakeArguments(const memory::desc& input,
                                                                  const memory::desc& weights,
                                                                  const memory::desc& output) {
  std::vector<PrimitiveArgument> arguments = {
      FromInput(DNNL_ARG_SRC, input, 0), FromOutput(DNNL_ARG_DST, output),
      FromConstantOrInput(maker_, DNNL_ARG_WEIGHTS, 1, plain_weights_, weights)};
  if (own_bias_ != nullptr) {
    if (cpuacc::HasBias(maker_.GetNode())) maker_.IgnoreInput(2);
    if (has_bias_) arguments.push_back(FromConstant(DNNL_ARG_BIAS, bias_, own_bias_));
  } else if (has_bias_) {
    maker_.WantPlain(2);
    arguments.push_back(FromInput(DNNL_ARG_BIAS, bias_, 2));
  }
  return arguments;
}

}  // namespace cpuacc
}  // namespace backplane
