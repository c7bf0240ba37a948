#include "cpu_layers/product_refusal.hpp"
#include "cpu_layers/requantisation.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/integer_product.hpp"
#include "kernels/matrix_multiply.hpp"

#include <backplane/api/descriptors/fully_connected.hpp>

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

MatrixProduct MakeProduct(const Layer& layer) {
  const TensorShape& weights = layer.Input(1).shape;
  const bool is_transposed = layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights == 1;
  MatrixProduct product;
  product.rows = layer.Input(0).shape[0];
  product.inner = layer.Input(0).shape[1];
  product.columns = is_transposed ? weights[0] : weights[1];
  product.a = MakeMatrixLayout(product.inner, false);
  product.b = MakeMatrixLayout(weights[1], is_transposed);
  return product;
}

template <typename Number>
class FullyConnectedKernel : public Kernel {
 public:
  explicit FullyConnectedKernel(const Layer& layer)
      : product_(MakeProduct(layer)), has_bias_(layer.num_inputs == 3) {}

  void Run(const RunTensors& tensors) const override {
    Number* output = tensors.Output<Number>();
    if (has_bias_) {
      const Number* bias = tensors.Input<Number>(2);
      for (std::int64_t i = 0; i < product_.rows; ++i) {
        std::copy_n(bias, product_.columns, output + i * product_.columns);
      }
    } else {
      std::fill_n(output, product_.rows * product_.columns, Number{});
    }
    AddMatrixProduct(product_, tensors.Input<Number>(0), tensors.Input<Number>(1), output);
  }

 private:
  const MatrixProduct product_;
  const bool has_bias_;
};

}  // namespace

std::string FindRefusalOfFullyConnected(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireFullyConnected(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeFullyConnected(const Layer& layer) {
  const bool is_transposed = layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights == 1;
  const std::uint32_t axis = is_transposed ? 0 : 1;
  if (HasIntegerForm(layer, axis)) {
    return MakeQuantisedProduct(layer, axis, MakeAxisSpan(layer.Output().shape, 1),
                                std::make_unique<FullyConnectedKernel<double>>(layer));
  }
  return MakeRingKernel<FullyConnectedKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
