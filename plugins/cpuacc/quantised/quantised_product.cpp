#include "quantised/quantised_product.hpp"

#include "cpu_layers/requantisation.hpp"
#include "elements/chain_kernels.hpp"
#include "kernel_builders/layer_of_node.hpp"
#include "kernel_builders/post_ops.hpp"
#include "kernel_builders/primitive.hpp"
#include "layout/layout.hpp"
#include "library/engine.hpp"
#include "products/packed_panels.hpp"
#include "products/product_parts.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/requantised_sums.hpp"
#include "quantised/requantising_attributes.hpp"
#include "quantised/zero_point_correction.hpp"

#include <dnnl.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Requantisation;
using dnnl::memory;
using MatmulDesc = dnnl::matmul::primitive_desc;

bool HasFastByteProduct(const GraphTensor& weights, const ByteMatrices& matrices) {
  return HasExactByteProducts() && weights.IsConstant() && matrices.inner > 0 &&
         weights.info.data_type == DataType::kInt8 &&
         weights.info.shape.GetNumElements() == matrices.inner * matrices.columns;
}

/// Nothing to be done with the sums.
Requantisation MakeZeroes(std::int64_t columns) {
  Requantisation requantisation;
  requantisation.zero_points.assign(static_cast<std::size_t>(columns), 0);
  return requantisation;
}

class QuantisedProductMaker {
 public:
  /// `output_type` is that of what is made: int32 are sums without a bias. Zero points that are
  /// inputs take the place of those of the requantisation where they are unknown.
  QuantisedProductMaker(KernelMaker& maker, const ByteMatrices& matrices,
                        Requantisation requantisation, DataType output_type,
                        const std::optional<ZeroPointInputs>& zero_points = {})
      : maker_(maker),
        inner_(matrices.inner),
        columns_(matrices.columns),
        rows_(matrices.rows),
        is_transposed_(matrices.is_transposed),
        has_fast_product_(HasFastByteProduct(maker.GetInput(1), matrices)),
        output_type_(output_type),
        requantisation_(std::move(requantisation)),
        zero_points_(zero_points),
        convolution_(DescribeConvolution()) {}

  std::unique_ptr<const Kernel> Make() {
    maker_.WantPlain(0);
    if (CanUsePrimitive()) {
      if (auto sums = MakePanelSums()) return Finish(std::move(sums));
      if (auto kernel = IsExact() ? MakePrimitive() : MakeInTwoSteps()) return kernel;
    }
    return MakeByteConvolution(maker_, convolution_, requantisation_, zero_points_);
  }

 private:
  /// Rows are neighbours along the width, the elements of a row channels.
  QuantisedConvolution DescribeConvolution() const {
    const ConvolutionDims dims(ConvolutionDescriptor(), {1, inner_, 1, rows_},
                               {columns_, inner_, 1, 1}, {1, columns_, 1, rows_});
    const memory::dims steps =
        is_transposed_ ? memory::dims{inner_, 1, 1, 1} : memory::dims{1, columns_, 1, 1};
    const DataType type = maker_.GetInput(1).info.data_type;
    return {dims, memory::desc(dims.weights, ToDnnlType(type), steps), output_type_};
  }

  bool HasIntegerBias() const {
    return output_type_ != DataType::kInt32 && HasBias(maker_.GetNode());
  }

  bool CanUsePrimitive() const {
    return has_fast_product_ && HaveOneZeroPoint(requantisation_) &&
           (!zero_points_ ||
            (output_type_ != DataType::kInt32 && zero_points_->weights.AreOne())) &&
           (!HasIntegerBias() || maker_.GetInput(2).IsConstant());
  }

  bool HasZeroPoints() const {
    return requantisation_.input_zero_point != 0 || requantisation_.zero_points[0] != 0;
  }

  bool IsExact() const { return IsBiasExact() && (!HasZeroPoints() || AreZeroPointsExact(inner_)); }

  /// Without a bias, oneDNN turns sums into float32 once, as the definition does it.
  bool IsBiasExact() const {
    if (!HasIntegerBias()) return true;
    return AreSumsExact({maker_.GetInput(1), convolution_.weights, 1},
                        static_cast<const std::int32_t*>(maker_.GetInput(2).content.get()),
                        requantisation_, maker_.GetInput(0).info.data_type);
  }

  /// Null as by MakePrimitive. Sums from which oneDNN takes zero points are float32 before they are
  /// int32.
  std::unique_ptr<const Kernel> MakeInTwoSteps() {
    const ByteMatrices matrices = GetMatrices();
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(
        QuantisedProductMaker(maker_, matrices, MakeZeroes(columns_), DataType::kInt32)
            .MakePrimitive());
    if (!kernels[0]) return nullptr;
    if (HasZeroPoints()) {
      kernels.push_back(MakeZeroPointCorrection(maker_, matrices, GetZeroPoints()));
    }
    return Finish(MakeSequence(std::move(kernels)));
  }

  /// Null: there are none, what is wanted is not what Finish makes of them, or oneDNN makes bytes
  /// of the sums while it has them.
  std::unique_ptr<const Kernel> MakePanelSums() {
    const bool are_bytes = output_type_ != DataType::kInt32 && output_type_ != DataType::kFloat32;
    if (zero_points_ || (are_bytes && rows_ > kFewRows && IsExact())) return nullptr;
    return MakeBytePanelProduct(maker_, GetMatrices(), GetZeroPoints());
  }

  /// Makes the output of sums that are integers, less zero points.
  std::unique_ptr<const Kernel> Finish(std::unique_ptr<const Kernel> sums) {
    if (output_type_ == DataType::kInt32) return sums;
    if (output_type_ != DataType::kFloat32) {
      return MakeRequantisedSums(maker_, requantisation_, ReadBias(maker_), std::move(sums));
    }
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(std::move(sums));
    kernels.push_back(MakeChainOnIntegers(maker_, requantisation_.multipliers));
    return MakeSequence(std::move(kernels));
  }

  ByteMatrices GetMatrices() const { return {rows_, inner_, columns_, is_transposed_}; }
  ZeroPointInputs GetZeroPoints() const {
    return {ZeroPointInput(requantisation_.input_zero_point),
            ZeroPointInput(requantisation_.zero_points[0])};
  }

  MatmulDesc Describe(const dnnl::primitive_attr& attributes) const {
    const memory::desc weights = DescribeAny({inner_, columns_}, DataType::kInt8);
    const dnnl::matmul::desc desc =
        HasIntegerBias()
            ? dnnl::matmul::desc(DescribeInput(), weights, DescribeBias(), DescribeOutput())
            : dnnl::matmul::desc(DescribeInput(), weights, DescribeOutput());
    return MatmulDesc(desc, attributes, GetEngine(), true);
  }

  memory::desc DescribeInput() const {
    return DescribePlain({rows_, inner_}, maker_.GetInput(0).info.data_type);
  }
  memory::desc DescribeBias() const { return DescribePlain({1, columns_}, DataType::kInt32); }
  memory::desc DescribeOutput() const { return DescribePlain({rows_, columns_}, output_type_); }
  memory::desc DescribeWeights() const {
    const memory::dims steps = is_transposed_ ? memory::dims{1, inner_} : memory::dims{columns_, 1};
    return memory::desc({inner_, columns_}, memory::data_type::s8, steps);
  }

  /// Null when oneDNN has no fast one, whose sums are known to be int32.
  std::unique_ptr<const Kernel> MakePrimitive() {
    FusedOps fused;
    std::size_t count = 0;
    dnnl::primitive_attr requantising = MakeRequantisingAttributes(requantisation_);
    if (zero_points_) SetUnknownZeroPoints(*zero_points_, requantising);
    const auto describe = [&](const dnnl::primitive_attr& attributes) {
      return Describe(attributes);
    };
    // Chains are of numbers.
    const MatmulDesc desc =
        output_type_ == DataType::kInt32
            ? describe(requantising)
            : MakeWithFusedOps(maker_, {rows_, columns_}, 1, requantising, fused, count, describe);
    if (!desc || std::string(desc.impl_info_str()).find("brg") == std::string::npos) return nullptr;
    std::vector<PrimitiveArgument> arguments = {
        FromInput(DNNL_ARG_SRC, DescribeInput(), 0), FromOutput(DNNL_ARG_DST, DescribeOutput()),
        FromConstant(DNNL_ARG_WEIGHTS, desc.weights_desc(),
                     maker_.Pack(1, DescribeWeights(), desc.weights_desc()))};
    if (HasIntegerBias()) {
      maker_.WantPlain(2);
      arguments.push_back(FromInput(DNNL_ARG_BIAS, DescribeBias(), 2));
    }
    if (zero_points_) AddUnknownZeroPoints(*zero_points_, arguments);
    TakeFusedOps(maker_, fused, count, DescribeOutput(), arguments);
    auto kernel = MakeProductKernel(desc, std::move(arguments), maker_.GetNumThreads());
    if (!zero_points_) return kernel;
    return MakeWithWideZeroPoints(maker_, *zero_points_, 0, std::move(kernel));
  }

  KernelMaker& maker_;
  const std::int64_t inner_;
  const std::int64_t columns_;
  const std::int64_t rows_;
  const bool is_transposed_;
  const bool has_fast_product_;
  const DataType output_type_;
  const Requantisation requantisation_;
  const std::optional<ZeroPointInputs> zero_points_;
  const QuantisedConvolution convolution_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeQuantisedProduct(KernelMaker& maker, bool is_transposed) {
  const TensorShape& shape = maker.GetInput(1).info.shape;
  const std::int64_t columns = shape[is_transposed ? 0 : 1];
  const ByteMatrices matrices = {maker.GetOutput().info.shape.GetNumElements() / columns,
                                 shape[is_transposed ? 1 : 0], columns, is_transposed};
  return QuantisedProductMaker(maker, matrices,
                               cpu_layers::MakeRequantisation(
                                   LayerOfNode(maker.GetGraph(), maker.GetNode()).Get(), columns),
                               maker.GetOutput().info.data_type)
      .Make();
}

bool HasFastByteProduct(const KernelMaker& maker, const ByteMatrices& matrices) {
  return HasFastByteProduct(maker.GetInput(1), matrices);
}

std::unique_ptr<const Kernel> MakeSumsOfByteProducts(
    KernelMaker& maker, const ByteMatrices& matrices, DataType result_type,
    const std::optional<ZeroPointInputs>& zero_points) {
  return QuantisedProductMaker(maker, matrices,
                               zero_points ? TakeKnownZeroPoints(*zero_points, matrices.columns)
                                           : MakeZeroes(matrices.columns),
                               result_type, zero_points)
      .Make();
}

}  // namespace cpuacc
}  // namespace backplane
