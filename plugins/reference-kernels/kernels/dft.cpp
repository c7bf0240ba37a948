#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"
#include "kernels/fourier.hpp"

#include <backplane/api/descriptors/dft.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace reference {
namespace {

/// Along an axis that has elements.
std::int64_t GetLength(const Layer& layer, const DftDescriptor& descriptor) {
  return descriptor.length == 0 ? layer.Input(0).shape[descriptor.axis] : descriptor.length;
}

/// The tensors are [outer, axis, inner, parts of a number]. Each line is calculated in double.
template <typename Number>
class DftKernel : public Kernel {
 public:
  explicit DftKernel(const Layer& layer) : DftKernel(layer, layer.GetDescriptor<DftDescriptor>()) {}

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t numbers = 2 * transform_.GetLength();
    return static_cast<std::uint64_t>(numbers) * sizeof(Complex);
  }

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<Number>();
    auto* line = tensors.GetScratch<Complex>();
    for (std::int64_t outer = 0; outer < outer_; ++outer) {
      for (std::int64_t inner = 0; inner < inner_; ++inner) {
        Load(input + inner * parts_, line);
        transform_.Run(line, line + transform_.GetLength());
        Store(line, output + inner * 2);
      }
      input += extent_ * inner_ * parts_;
      output += results_ * inner_ * 2;
    }
  }

 private:
  DftKernel(const Layer& layer, const DftDescriptor& descriptor)
      : transform_(GetLength(layer, descriptor)),
        is_inverse_(descriptor.is_inverse == 1),
        extent_(layer.Input(0).shape[descriptor.axis]),
        results_(layer.Output().shape[descriptor.axis]) {
    const TensorShape& shape = layer.Input(0).shape;
    for (std::uint32_t axis = 0; axis < descriptor.axis; ++axis) outer_ *= shape[axis];
    for (std::uint32_t axis = descriptor.axis + 1; axis + 1 < shape.rank; ++axis) {
      inner_ *= shape[axis];
    }
    parts_ = shape[shape.rank - 1];
  }

  /// Cut off or filled up to the length. The inverse transform is that of the numbers with their
  /// parts exchanged, exchanged.
  void Load(const Number* input, Complex* line) const {
    const std::int64_t count = std::min(extent_, transform_.GetLength());
    for (std::int64_t i = 0; i < count; ++i) {
      const Number* number = input + i * inner_ * parts_;
      line[i] = {static_cast<double>(number[0]), parts_ == 2 ? static_cast<double>(number[1]) : 0};
      if (is_inverse_) std::swap(line[i].real, line[i].imaginary);
    }
    std::fill(line + count, line + transform_.GetLength(), Complex());
  }

  void Store(const Complex* line, Number* output) const {
    const double divisor = is_inverse_ ? static_cast<double>(transform_.GetLength()) : 1;
    for (std::int64_t i = 0; i < results_; ++i) {
      Number* number = output + i * inner_ * 2;
      number[is_inverse_ ? 1 : 0] = static_cast<Number>(line[i].real / divisor);
      number[is_inverse_ ? 0 : 1] = static_cast<Number>(line[i].imaginary / divisor);
    }
  }

  const FourierTransform transform_;
  const bool is_inverse_;
  const std::int64_t extent_;
  const std::int64_t results_;
  std::int64_t outer_ = 1;
  std::int64_t inner_ = 1;
  std::int64_t parts_ = 1;
};

void CheckShapes(const Layer& layer, const DftDescriptor& descriptor, Refusal& refusal) {
  TensorShape expected = layer.Input(0).shape;
  const std::uint32_t rank = expected.rank;
  if (rank < 2 || descriptor.axis >= rank - 1) {
    refusal.Add("axis ", descriptor.axis, " is outside of rank ", rank,
                " of input 0 without its last axis");
    return;
  }
  if (expected[rank - 1] != 1 && expected[rank - 1] != 2) {
    refusal.Add("the last axis of input 0 has extent ", expected[rank - 1],
                ", but must have 1 or 2");
  }
  const std::int64_t length = GetLength(layer, descriptor);
  if (length <= 0) {
    refusal.Add("length is ", length, ", but must be 1 or more");
    return;
  }
  expected[descriptor.axis] = descriptor.is_one_sided == 1 ? length / 2 + 1 : length;
  expected[rank - 1] = 2;
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace

std::string FindRefusalOfDft(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<DftDescriptor>();
  RequireFloats(layer, refusal);
  RefuseQuantised(layer, refusal);
  RequireFlag("is_inverse", descriptor.is_inverse, refusal);
  RequireFlag("is_one_sided", descriptor.is_one_sided, refusal);
  if (descriptor.is_inverse == 1 && descriptor.is_one_sided == 1) {
    refusal.Add("an inverse transform cannot be one-sided");
  }
  CheckShapes(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDft(const Layer& layer) {
  // Never run; the tables of its length could be of any size.
  if (layer.Output().shape.GetNumElements() == 0) {
    return std::make_unique<ByteCopyKernel>(layer.Output());
  }
  return MakeFloatKernel<DftKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
