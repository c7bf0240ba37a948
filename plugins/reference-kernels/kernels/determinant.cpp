#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {
namespace reference {
namespace {

/// NaN is the greatest, so that it gets into the result.
bool IsGreater(double a, double b) {
  return std::isnan(a) ? !std::isnan(b) : std::abs(a) > std::abs(b);
}

/// Gaussian elimination with the greatest pivot of each column; spoils the matrix.
double ComputeDeterminant(double* matrix, std::int64_t size) {
  double determinant = 1.0;
  for (std::int64_t step = 0; step < size; ++step) {
    double* const pivot_row = matrix + step * size;
    double* greatest = pivot_row;
    for (std::int64_t i = step + 1; i < size; ++i) {
      if (IsGreater(matrix[i * size + step], greatest[step])) greatest = matrix + i * size;
    }
    if (greatest != pivot_row) {
      std::swap_ranges(pivot_row, pivot_row + size, greatest);
      determinant = -determinant;
    }
    const double pivot = pivot_row[step];
    determinant *= pivot;
    // The column is 0: nothing to eliminate. The rest still decides between 0 and NaN.
    if (pivot == 0.0) continue;
    for (std::int64_t i = step + 1; i < size; ++i) {
      double* const row = matrix + i * size;
      const double factor = row[step] / pivot;
      for (std::int64_t j = step + 1; j < size; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  return determinant;
}

/// Calculates in double, whatever the matrices are stored as.
template <typename Number>
class DeterminantKernel : public Kernel {
 public:
  explicit DeterminantKernel(const Layer& layer)
      : size_(layer.Input(0).shape[layer.Input(0).shape.rank - 1]),
        num_matrices_(layer.Output().shape.GetNumElements()) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(size_ * size_) * sizeof(double);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* matrix = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    auto* scratch = tensors.GetScratch<double>();
    for (std::int64_t i = 0; i < num_matrices_; ++i) {
      std::copy_n(matrix, size_ * size_, scratch);
      output[i] = static_cast<Number>(ComputeDeterminant(scratch, size_));
      matrix += size_ * size_;
    }
  }

 private:
  const std::int64_t size_;
  const std::int64_t num_matrices_;
};

}  // namespace

std::string FindRefusalOfDeterminant(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const TensorShape& matrices = layer.Input(0).shape;
  if (matrices.rank < 2 || matrices[matrices.rank - 2] != matrices[matrices.rank - 1]) {
    refusal.Add("input 0 has shape ", DescribeShape(matrices),
                ", but must have square matrices in its last two axes");
  }
  if (!refusal.IsEmpty()) return refusal.GetReason();
  TensorShape expected;
  for (std::uint32_t axis = 0; axis + 2 < matrices.rank; ++axis) expected.Append(matrices[axis]);
  RequireOutputShape(layer, expected, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDeterminant(const Layer& layer) {
  return MakeFloatKernel<DeterminantKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
