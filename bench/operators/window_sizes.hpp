#pragma once

/// The layers that both Backplane and the peer are measured with.

#include <array>

namespace bench {

struct ConvolutionSize {
  const char* name;
  int channels;
  int filters;
  int extent;  // height and width
  int kernel;
  int stride;
  bool is_depthwise;

  int Pad() const { return kernel / 2; }
  int OutputExtent() const { return (extent + 2 * Pad() - kernel) / stride + 1; }
  double Operations() const {
    const double inner = is_depthwise ? 1.0 : channels;
    return 2.0 * filters * OutputExtent() * OutputExtent() * inner * kernel * kernel;
  }
};

constexpr std::array<ConvolutionSize, 7> kConvolutionSizes = {{
    {"convolution 3x3, 64 to 64, 56x56", 64, 64, 56, 3, 1, false},
    {"convolution 1x1, 64 to 256, 56x56", 64, 256, 56, 1, 1, false},
    {"convolution 7x7 / 2, 3 to 64, 224x224", 3, 64, 224, 7, 2, false},
    {"convolution 3x3 / 2, 128 to 256, 28x28", 128, 256, 28, 3, 2, false},
    {"depthwise 3x3, 96, 56x56", 96, 96, 56, 3, 1, true},
    {"depthwise 3x3 / 2, 144, 56x56", 144, 144, 56, 3, 2, true},
    {"depthwise 5x5, 240, 14x14", 240, 240, 14, 5, 1, true},
}};

struct FullyConnectedSize {
  const char* name;
  int rows;
  int inputs;
  int outputs;

  double Operations() const { return 2.0 * rows * inputs * outputs; }
};

constexpr std::array<FullyConnectedSize, 2> kFullyConnectedSizes = {{
    {"fully connected 1 x 2048 to 1000", 1, 2048, 1000},
    {"fully connected 32 x 512 to 512", 32, 512, 512},
}};

struct PoolingSize {
  const char* name;
  int channels;
  int extent;
  int kernel;
  int stride;
  int pad;
  bool is_average;

  int OutputExtent() const { return (extent + 2 * pad - kernel) / stride + 1; }
};

constexpr std::array<PoolingSize, 3> kPoolingSizes = {{
    {"max pooling 3x3 / 2, 64, 112x112", 64, 112, 3, 2, 1, false},
    {"average pooling 2x2 / 2, 128, 56x56", 128, 56, 2, 2, 0, true},
    {"average pooling 7x7, 2048, 7x7", 2048, 7, 7, 1, 0, true},
}};

}  // namespace bench
