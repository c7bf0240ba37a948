#include "quantised/quantised_product.hpp"

#include "cpu_layers/requantisation.hpp"
#include "layout/layout.hpp"
#include "library/engine.hpp"
#include "making/layer_of_node.hpp"
#include "making/post_ops.hpp"
#include "making/primitive.hpp"
#include "products/product_parts.hpp"
#include "quantised/byte_convolution.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/requantised_sums.hpp"
#include "quantised/requantising_attributes.hpp"

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

class QuantisedProductMaker {
 public:
  /// `output_type` is that of what the primitive makes: int32 are sums without a bias.
  QuantisedProductMaker(KernelMaker& maker, bool is_transposed, Requantisation requantisation,
                        DataType output_type)
      : maker_(maker),
        inner_(maker.GetInput(1).info.shape[is_transposed ? 1 : 0]),
        columns_(maker.GetInput(1).info.shape[is_transposed ? 0 : 1]),
        rows_(maker.GetOutput().info.shape.GetNumElements() / columns_),
        is_transposed_(is_transposed),
        output_type_(output_type),
        requantisation_(std::move(requantisation)),
        convolution_(DescribeConvolution()) {}

  std::unique_ptr<const Kernel> Make() {
    maker_.WantPlain(0);
    if (CanUsePrimitive()) {
      if (auto kernel = IsBiasExact() ? MakePrimitive() : MakeInTwoSteps()) return kernel;
    }
    return MakeByteConvolution(maker_, convolution_, requantisation_);
  }

 private:
  /// Rows are neighbours along the width, the elements of a row channels.
  QuantisedConvolution DescribeConvolution() const {
    const ConvolutionDims dims(ConvolutionDescriptor(), {1, inner_, 1, rows_},
                               {columns_, inner_, 1, 1}, {1, columns_, 1, rows_});
    const memory::dims steps =
        is_transposed_ ? memory::dims{inner_, 1, 1, 1} : memory::dims{1, columns_, 1, 1};
    const DataType type = maker_.GetInput(1).info.data_type;
    return {dims, memory::desc(dims.weights, ToDnnlType(type), steps)};
  }

  bool HasIntegerBias() const {
    return output_type_ != DataType::kInt32 && HasBias(maker_.GetNode());
  }

  bool CanUsePrimitive() const {
    const GraphTensor& weights = maker_.GetInput(1);
    return HasExactByteProducts() && weights.IsConstant() && inner_ > 0 &&
           weights.info.data_type == DataType::kInt8 && HaveOneZeroPoint(requantisation_) &&
           (!HasIntegerBias() || maker_.GetInput(2).IsConstant());
  }

  /// Without a bias, oneDNN turns sums into float32 once, as the definition does it.
  bool IsBiasExact() const {
    if (!HasIntegerBias()) return true;
    return AreSumsExact({maker_.GetInput(1), convolution_.weights, 1},
                        static_cast<const std::int32_t*>(maker_.GetInput(2).content.get()),
                        requantisation_, maker_.GetInput(0).info.data_type);
  }

  /// Null as by MakePrimitive.
  std::unique_ptr<const Kernel> MakeInTwoSteps() {
    Requantisation sums;
    sums.zero_points = requantisation_.zero_points;
    sums.input_zero_point = requantisation_.input_zero_point;
    auto kernel = QuantisedProductMaker(maker_, is_transposed_, std::move(sums), DataType::kInt32)
                      .MakePrimitive();
    if (!kernel) return nullptr;
    return MakeRequantisedSums(maker_, requantisation_, std::move(kernel));
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
    const MatmulDesc desc = MakeWithFusedOps(
        maker_, {rows_, columns_}, 1, MakeRequantisingAttributes(requantisation_), fused, count,
        [&](const dnnl::primitive_attr& attributes) { return Describe(attributes); });
    if (!desc || std::string(desc.impl_info_str()).find("brg") == std::string::npos) return nullptr;
    std::vector<PrimitiveArgument> arguments = {
        FromInput(DNNL_ARG_SRC, DescribeInput(), 0), FromOutput(DNNL_ARG_DST, DescribeOutput()),
        FromConstant(DNNL_ARG_WEIGHTS, desc.weights_desc(),
                     maker_.Pack(1, DescribeWeights(), desc.weights_desc()))};
    if (HasIntegerBias()) {
      maker_.WantPlain(2);
      arguments.push_back(FromInput(DNNL_ARG_BIAS, DescribeBias(), 2));
    }
    TakeFusedOps(maker_, fused, count, DescribeOutput(), arguments);
    return MakeProductKernel(desc, std::move(arguments), maker_.GetNumThreads());
  }

  KernelMaker& maker_;
  const std::int64_t inner_;
  const std::int64_t columns_;
  const std::int64_t rows_;
  const bool is_transposed_;
  const DataType output_type_;
  const Requantisation requantisation_;
  const QuantisedConvolution convolution_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeQuantisedProduct(KernelMaker& maker, bool is_transposed) {
  const std::int64_t columns = maker.GetInput(1).info.shape[is_transposed ? 0 : 1];
  return QuantisedProductMaker(maker, is_transposed,
                               cpu_layers::MakeRequantisation(
                                   LayerOfNode(maker.GetGraph(), maker.GetNode()).Get(), columns),
                               maker.GetOutput().info.data_type)
      .Make();
}

std::unique_ptr<const Kernel> MakeSumsOfByteProducts(KernelMaker& maker) {
  Requantisation requantisation;
  requantisation.zero_points.assign(static_cast<std::size_t>(maker.GetInput(1).info.shape[1]), 0);
  return QuantisedProductMaker(maker, false, std::move(requantisation), DataType::kInt32).Make();
}

}  // namespace cpuacc
}  // namespace backplane
