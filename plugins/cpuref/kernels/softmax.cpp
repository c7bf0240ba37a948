#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref {
namespace {

/// So many neighbours behind the axis are computed together: the innermost loops then run over
/// contiguous memory, whichever the axis is, and what they keep fits the stack.
constexpr std::int64_t kTile = 64;

template <typename Number>
class SoftmaxKernel : public Kernel {
 public:
  explicit SoftmaxKernel(const Layer& layer)
      : SoftmaxKernel(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t outer = 0; outer < num_outer_; ++outer) {
      for (std::int64_t begin = 0; begin < num_inner_; begin += kTile) {
        RunTile(input + begin, output + begin, std::min(kTile, num_inner_ - begin));
      }
      input += extent_ * num_inner_;
      output += extent_ * num_inner_;
    }
  }

 private:
  SoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), extent_(shape[descriptor.axis]) {
    for (std::uint32_t axis = 0; axis < descriptor.axis; ++axis) num_outer_ *= shape[axis];
    for (std::uint32_t axis = descriptor.axis + 1; axis < shape.rank; ++axis) {
      num_inner_ *= shape[axis];
    }
  }

  void RunTile(const Number* input, Number* output, std::int64_t width) const {
    Number greatest[kTile];
    double sums[kTile];
    FindGreatest(input, width, greatest);
    ComputeExponentials(input, greatest, width, output, sums);
    for (std::int64_t k = 0; k < extent_; ++k) {
      Number* row = output + k * num_inner_;
      for (std::int64_t i = 0; i < width; ++i) {
        row[i] = static_cast<Number>(static_cast<double>(row[i]) / sums[i]);
      }
    }
  }

  void FindGreatest(const Number* input, std::int64_t width, Number* greatest) const {
    std::fill_n(greatest, width, -std::numeric_limits<Number>::infinity());
    for (std::int64_t k = 0; k < extent_; ++k) {
      const Number* row = input + k * num_inner_;
      for (std::int64_t i = 0; i < width; ++i) {
        greatest[i] = std::max(greatest[i], beta_ * row[i]);
      }
    }
  }

  /// Subtracting the greatest exponent keeps every exponential at most 1. Sums are double: axes can
  /// be long and their terms small.
  void ComputeExponentials(const Number* input, const Number* greatest, std::int64_t width,
                           Number* output, double* sums) const {
    std::fill_n(sums, width, 0.0);
    for (std::int64_t k = 0; k < extent_; ++k) {
      const Number* row = input + k * num_inner_;
      Number* exponentials = output + k * num_inner_;
      for (std::int64_t i = 0; i < width; ++i) {
        exponentials[i] = std::exp(beta_ * row[i] - greatest[i]);
        sums[i] += static_cast<double>(exponentials[i]);
      }
    }
  }

  const Number beta_;
  const std::int64_t extent_;
  std::int64_t num_outer_ = 1;
  std::int64_t num_inner_ = 1;
};

}  // namespace

std::string FindRefusalOfSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  const std::uint32_t axis = layer.GetDescriptor<SoftmaxDescriptor>().axis;
  if (axis >= shape.rank) {
    refusal.Add("axis ", axis, " is outside of rank ", shape.rank, " of input 0");
  }
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSoftmax(const Layer& layer) {
  return MakeFloatKernel<SoftmaxKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
