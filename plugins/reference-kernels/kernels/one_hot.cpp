#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/one_hot.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace backplane {
namespace reference {
namespace {

/// Cut off towards zero; what int64 cannot hold is beyond every depth.
template <typename Number>
std::int64_t CutOff(Number index) {
  constexpr std::int64_t kBeyond = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::is_floating_point<Number>::value) {
    // False for NaN.
    return std::abs(index) < Number{0x1p62} ? static_cast<std::int64_t>(index) : kBeyond;
  } else if constexpr (std::is_unsigned<Number>::value) {
    return static_cast<std::int64_t>(std::min<Number>(index, kBeyond));
  } else {
    return index;
  }
}

/// Fills the output with the value for off, then sets one element for each index.
template <typename Index>
class OneHotKernel : public Kernel {
 public:
  explicit OneHotKernel(const Layer& layer)
      : element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)),
        num_elements_(layer.Output().shape.GetNumElements()) {
    const auto descriptor = layer.GetDescriptor<OneHotDescriptor>();
    const TensorShape& indices = layer.Input(0).shape;
    depth_ = descriptor.depth;
    num_rows_ = CountElements(indices, 0, descriptor.axis);
    row_indices_ = CountElements(indices, descriptor.axis, indices.rank - descriptor.axis);
  }

  void Run(const RunTensors& tensors) const override {
    FillElements(tensors.Output<void>(), num_elements_, tensors.Input<void>(1), element_bytes_);
    WithRun(element_bytes_, [&](auto size) { SetElements(tensors, size); });
  }

 private:
  template <typename Size>
  void SetElements(const RunTensors& tensors, Size size) const {
    const auto* index = tensors.Input<Index>(0);
    const auto* on = tensors.Input<unsigned char>(1) + size.GetBytes();
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t row = 0; row < num_rows_; ++row) {
      for (std::int64_t i = 0; i < row_indices_; ++i) {
        std::int64_t hot = CutOff(*index++);
        if (!ResolveIndex(depth_, hot)) continue;
        const std::int64_t element = (row * depth_ + hot) * row_indices_ + i;
        CopyRun(output + static_cast<std::size_t>(element) * size.GetBytes(), on, size);
      }
    }
  }

  const std::size_t element_bytes_;
  const std::int64_t num_elements_;
  std::int64_t depth_ = 0;
  std::int64_t num_rows_ = 0;     // of indices in front of the axis
  std::int64_t row_indices_ = 0;  // in each of them
};

bool IsNumber(const TensorInfo& info) {
  return GetDataTypeSizeBytes(info.data_type) != 0 && info.data_type != DataType::kBool &&
         !info.quantization.IsQuantized();
}

template <typename Index>
std::unique_ptr<Kernel> MakeKernelFor(const Layer& layer) {
  return WithConvertedInputs(layer, {0}, std::make_unique<OneHotKernel<Index>>(layer));
}

}  // namespace

std::string FindRefusalOfOneHot(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{TensorRole::kOwn}});
  const auto descriptor = layer.GetDescriptor<OneHotDescriptor>();
  const TensorShape& indices = layer.Input(0).shape;
  if (!IsNumber(layer.Input(0))) {
    refusal.Add("data type ", layer.Input(0).quantization.IsQuantized() ? "quantised " : "",
                GetDataTypeName(layer.Input(0).data_type),
                " of input 0 is not supported, only numbers");
  }
  if (layer.Input(1).quantization.IsPerAxis()) {
    refusal.Add("input 1 is quantised along an axis, which does not stay as it is");
  }
  const TensorShape values = {2};
  if (layer.Input(1).shape != values) {
    refusal.Add("input 1 has shape ", DescribeShape(layer.Input(1).shape), ", but must have ",
                DescribeShape(values));
  }
  if (descriptor.axis > indices.rank) {
    refusal.Add("axis ", descriptor.axis, " is outside of rank ", indices.rank + 1,
                " of the output");
    return refusal.GetReason();
  }
  const TensorShape depth = {descriptor.depth};
  RequireJoinedOutput(layer,
                      {{indices, 0, descriptor.axis},
                       {depth, 0, 1},
                       {indices, descriptor.axis, indices.rank - descriptor.axis}},
                      refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeOneHot(const Layer& layer) {
  switch (GetComputeType(layer.Input(0))) {
    case ComputeType::kInt64:
      return MakeKernelFor<std::int64_t>(layer);
    case ComputeType::kUInt64:
      return MakeKernelFor<std::uint64_t>(layer);
    case ComputeType::kFloat:
      return MakeKernelFor<float>(layer);
    default:
      return MakeKernelFor<double>(layer);
  }
}

}  // namespace reference
}  // namespace backplane
