#pragma once

/// Discrete Fourier transforms of one line of complex numbers, of any length.

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

struct Complex {
  double real = 0;
  double imaginary = 0;
};

inline Complex operator+(const Complex& a, const Complex& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
inline Complex operator-(const Complex& a, const Complex& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
inline Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
inline Complex Conjugate(const Complex& a) {
  return {a.real, -a.imaginary};
}

/// exp(-2 * pi * i * numerator / denominator), each part rounded correctly or nearly so; 0 <=
/// numerator < denominator.
Complex GetRootOfUnity(std::int64_t numerator, std::int64_t denominator);

/// For lengths whose prime factors are small: O(n * sum of the factors).
class MixedRadixTransform {
 public:
  /// Whether all prime factors are small enough for this to be quick.
  static bool IsSmooth(std::int64_t length);

  /// The length is 1 or more; quick or not, the result is right.
  explicit MixedRadixTransform(std::int64_t length);

  /// The other complex numbers that a run needs.
  std::int64_t GetScratchNumbers() const { return length_; }

  /// In place; the exponent is negative, and nothing is divided.
  void Run(Complex* line, Complex* scratch) const;

 private:
  /// One factor of the length: [after, radix, before] becomes [radix, before...].
  struct Pass {
    std::int64_t radix;
    std::int64_t before;  // product of the factors that are done
    std::int64_t after;   // product of those that follow
  };

  void RunPass(const Pass& pass, const Complex* input, Complex* output) const;
  void RunPassOfTwo(const Pass& pass, const Complex* input, Complex* output) const;
  void RunPassOfFour(const Pass& pass, const Complex* input, Complex* output) const;

  std::int64_t length_;
  std::vector<Pass> passes_;
  std::vector<Complex> roots_;  // all of the length
};

/// For any length: smooth ones directly, others as a convolution (Bluestein) of a length that is a
/// power of two. O(n * log n).
class FourierTransform {
 public:
  explicit FourierTransform(std::int64_t length);

  std::int64_t GetLength() const { return length_; }
  std::int64_t GetScratchNumbers() const;

  /// In place; the exponent is negative, and nothing is divided.
  void Run(Complex* line, Complex* scratch) const;

 private:
  void Convolve(Complex* line, Complex* scratch) const;

  std::int64_t length_;
  bool is_smooth_;
  MixedRadixTransform transform_;  // of the line, or of the convolution
  std::int64_t convolution_length_ = 0;
  std::vector<Complex> chirp_;
  std::vector<Complex> spectrum_;  // of the chirp that is convolved with, divided by its length
};

}  // namespace cpuref
}  // namespace backplane
