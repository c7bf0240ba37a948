#pragma once

/// Discrete Fourier transforms of one line of complex numbers, of any length.

#include <cstdint>
#include <vector>

namespace backplane {
namespace reference {

struct Complex {
  double real = 0;
  double imaginary = 0;
};

/// The length is taken apart into its prime factors: O(n * sum of the factors).
class FourierTransform {
 public:
  /// The length is 1 or more.
  explicit FourierTransform(std::int64_t length);

  std::int64_t GetLength() const { return length_; }

  /// In place; the exponent is negative, and nothing is divided. `scratch` is as long as the line.
  void Run(Complex* line, Complex* scratch) const;

 private:
  /// One factor of the length: [before, factor, after] becomes [factor, before, after].
  struct Pass {
    std::int64_t factor;
    std::int64_t before;  // product of the factors that are done
    std::int64_t after;   // product of those that follow
  };

  void RunPass(const Pass& pass, const Complex* input, Complex* output) const;

  std::int64_t length_;
  std::vector<Pass> passes_;
  std::vector<Complex> roots_;  // exp(-2 * pi * i * k / length) for each k
};

}  // namespace reference
}  // namespace backplane
