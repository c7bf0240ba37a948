#include "kernels/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backplane {
namespace reference {

FourierTransform::FourierTransform(std::int64_t length) : length_(length) {
  std::int64_t before = 1;
  for (std::int64_t factor = 2; before < length; ++factor) {
    while (length / before % factor == 0) {
      passes_.push_back({factor, before, length / before / factor});
      before *= factor;
    }
  }
  const long double turn = 2 * std::acos(-1.0L);
  roots_.reserve(static_cast<std::size_t>(length));
  for (std::int64_t k = 0; k < length; ++k) {
    const long double angle = turn * static_cast<long double>(k) / static_cast<long double>(length);
    roots_.push_back({static_cast<double>(std::cos(angle)), static_cast<double>(-std::sin(angle))});
  }
}

void FourierTransform::Run(Complex* line, Complex* scratch) const {
  Complex* from = line;
  Complex* to = scratch;
  for (const Pass& pass : passes_) {
    RunPass(pass, from, to);
    std::swap(from, to);
  }
  if (from != line) std::copy_n(from, length_, line);
}

/// Output (j, k, i) is the sum over q of input (k, q, i) times the root j * q of the factor, times
/// the root i * j of what is left to do.
void FourierTransform::RunPass(const Pass& pass, const Complex* input, Complex* output) const {
  for (std::int64_t j = 0; j < pass.factor; ++j) {
    for (std::int64_t k = 0; k < pass.before; ++k) {
      const Complex* line = input + k * pass.factor * pass.after;
      for (std::int64_t i = 0; i < pass.after; ++i) {
        Complex sum;
        std::int64_t turns = i * j;  // of both roots in one
        for (std::int64_t q = 0; q < pass.factor; ++q) {
          const Complex& root = roots_[static_cast<std::size_t>(turns * pass.before)];
          const Complex& element = line[q * pass.after + i];
          sum.real += element.real * root.real - element.imaginary * root.imaginary;
          sum.imaginary += element.real * root.imaginary + element.imaginary * root.real;
          turns += j * pass.after;
          if (turns >= pass.factor * pass.after) turns -= pass.factor * pass.after;
        }
        *output++ = sum;
      }
    }
  }
}

}  // namespace reference
}  // namespace backplane
