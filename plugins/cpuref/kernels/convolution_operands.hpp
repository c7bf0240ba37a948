#pragma once

namespace backplane {
namespace cpuref {

/// One group of one image of a convolution.
template <typename Number>
struct ConvolutionOperands {
  const Number* input = nullptr;    // [channels, spatial...]
  const Number* weights = nullptr;  // [filters, channels, kernel...]
  const Number* bias = nullptr;     // [filters], or null
  Number* output = nullptr;         // [filters, spatial...]
};

}  // namespace cpuref
}  // namespace backplane
