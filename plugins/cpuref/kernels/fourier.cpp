#include "kernels/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backplane {
namespace cpuref {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Of the passes that have no code of their own.
constexpr std::int64_t kMostRadix = 13;

/// The least power of two for a cyclic convolution that does not wrap around.
std::int64_t GetConvolutionLength(std::int64_t length) {
  std::int64_t result = 1;
  while (result < 2 * length - 1) result *= 2;
  return result;
}

}  // namespace

Complex GetRootOfUnity(std::int64_t numerator, std::int64_t denominator) {
  // From the nearest quarter of a turn: the angle that is left is at most an eighth, where sine and
  // cosine are exact to the last bit, and symmetric roots are exactly so.
  const std::int64_t quarters = (8 * numerator / denominator + 1) / 2;
  const double left = static_cast<double>(4 * numerator - quarters * denominator) /
                      static_cast<double>(denominator);
  const double cosine = std::cos(kPi / 2 * left);
  const double sine = std::sin(kPi / 2 * left);
  switch (quarters) {
    case 1:
      return {-sine, -cosine};
    case 2:
      return {-cosine, sine};
    case 3:
      return {sine, cosine};
    default:
      return {cosine, -sine};
  }
}

bool MixedRadixTransform::IsSmooth(std::int64_t length) {
  for (std::int64_t factor = 2; factor <= kMostRadix; ++factor) {
    while (length % factor == 0) length /= factor;
  }
  return length == 1;
}

MixedRadixTransform::MixedRadixTransform(std::int64_t length) : length_(length) {
  std::int64_t before = 1;
  std::int64_t left = length;
  const auto take = [&](std::int64_t radix) {
    while (left % radix == 0) {
      left /= radix;
      passes_.push_back({radix, before, left});
      before *= radix;
    }
  };
  take(4);
  for (std::int64_t radix = 2; left > 1; ++radix) take(radix);
  roots_.reserve(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) roots_.push_back(GetRootOfUnity(i, length));
}

void MixedRadixTransform::Run(Complex* line, Complex* scratch) const {
  Complex* from = line;
  Complex* to = scratch;
  for (const Pass& pass : passes_) {
    if (pass.radix == 4) {
      RunPassOfFour(pass, from, to);
    } else if (pass.radix == 2) {
      RunPassOfTwo(pass, from, to);
    } else {
      RunPass(pass, from, to);
    }
    std::swap(from, to);
  }
  if (from != line) std::copy_n(from, length_, line);
}

// In all passes, output (j, k, i) is the sum over q of input (k, q, i) times the root j * q of the
// radix, times the root i * j of what is left to do.

void MixedRadixTransform::RunPass(const Pass& pass, const Complex* input, Complex* output) const {
  const std::int64_t radix = pass.radix;
  for (std::int64_t k = 0; k < pass.before; ++k) {
    for (std::int64_t j = 0; j < radix; ++j) {
      Complex* to = output + (k + pass.before * j) * pass.after;
      for (std::int64_t i = 0; i < pass.after; ++i) {
        Complex sum;
        for (std::int64_t q = 0; q < radix; ++q) {
          const Complex& root = roots_[static_cast<std::size_t>(j * q % radix * (length_ / radix))];
          sum = sum + input[(k * radix + q) * pass.after + i] * root;
        }
        to[i] = sum * roots_[static_cast<std::size_t>(i * j * pass.before)];
      }
    }
  }
}

void MixedRadixTransform::RunPassOfTwo(const Pass& pass, const Complex* input,
                                       Complex* output) const {
  for (std::int64_t k = 0; k < pass.before; ++k) {
    const Complex* from = input + k * 2 * pass.after;
    Complex* to = output + k * pass.after;
    Complex* to_odd = to + pass.before * pass.after;
    for (std::int64_t i = 0; i < pass.after; ++i) {
      const Complex a = from[i];
      const Complex b = from[i + pass.after];
      to[i] = a + b;
      to_odd[i] = (a - b) * roots_[static_cast<std::size_t>(i * pass.before)];
    }
  }
}

void MixedRadixTransform::RunPassOfFour(const Pass& pass, const Complex* input,
                                        Complex* output) const {
  const std::int64_t step = pass.before * pass.after;
  for (std::int64_t k = 0; k < pass.before; ++k) {
    const Complex* from = input + k * 4 * pass.after;
    Complex* to = output + k * pass.after;
    for (std::int64_t i = 0; i < pass.after; ++i) {
      const Complex even_sum = from[i] + from[i + 2 * pass.after];
      const Complex even_difference = from[i] - from[i + 2 * pass.after];
      const Complex odd_sum = from[i + pass.after] + from[i + 3 * pass.after];
      const Complex difference = from[i + pass.after] - from[i + 3 * pass.after];
      const Complex odd_difference = {difference.imaginary, -difference.real};  // times -i
      const auto root = static_cast<std::size_t>(i * pass.before);
      to[i] = even_sum + odd_sum;
      to[i + step] = (even_difference + odd_difference) * roots_[root];
      to[i + 2 * step] = (even_sum - odd_sum) * roots_[2 * root];
      to[i + 3 * step] = (even_difference - odd_difference) * roots_[3 * root];
    }
  }
}

FourierTransform::FourierTransform(std::int64_t length)
    : length_(length),
      is_smooth_(MixedRadixTransform::IsSmooth(length)),
      transform_(is_smooth_ ? length : GetConvolutionLength(length)) {
  if (is_smooth_) return;
  convolution_length_ = GetConvolutionLength(length);
  spectrum_.resize(static_cast<std::size_t>(convolution_length_));
  // k * k modulo 2 * length, from one k to the next without overflow.
  std::int64_t square = 0;
  chirp_.reserve(static_cast<std::size_t>(length));
  for (std::int64_t k = 0; k < length; ++k) {
    chirp_.push_back(GetRootOfUnity(square, 2 * length));
    const Complex value = Conjugate(chirp_.back());
    spectrum_[static_cast<std::size_t>(k)] = value;
    spectrum_[static_cast<std::size_t>((convolution_length_ - k) % convolution_length_)] = value;
    square = (square + 2 * k + 1) % (2 * length);
  }
  std::vector<Complex> scratch(spectrum_.size());
  transform_.Run(spectrum_.data(), scratch.data());
  for (Complex& value : spectrum_) {
    value.real /= static_cast<double>(convolution_length_);
    value.imaginary /= static_cast<double>(convolution_length_);
  }
}

std::int64_t FourierTransform::GetScratchNumbers() const {
  return convolution_length_ + transform_.GetScratchNumbers();
}

void FourierTransform::Run(Complex* line, Complex* scratch) const {
  if (is_smooth_) {
    transform_.Run(line, scratch);
  } else {
    Convolve(line, scratch);
  }
}

void FourierTransform::Convolve(Complex* line, Complex* scratch) const {
  Complex* padded = scratch;
  Complex* other = scratch + convolution_length_;
  for (std::int64_t k = 0; k < length_; ++k) {
    padded[k] = line[k] * chirp_[static_cast<std::size_t>(k)];
  }
  std::fill(padded + length_, padded + convolution_length_, Complex());
  transform_.Run(padded, other);
  // The transform back is that of the conjugates, conjugated.
  for (std::int64_t k = 0; k < convolution_length_; ++k) {
    padded[k] = Conjugate(padded[k] * spectrum_[static_cast<std::size_t>(k)]);
  }
  transform_.Run(padded, other);
  for (std::int64_t k = 0; k < length_; ++k) {
    line[k] = Conjugate(padded[k]) * chirp_[static_cast<std::size_t>(k)];
  }
}

}  // namespace cpuref
}  // namespace backplane
