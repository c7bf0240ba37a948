#pragma once

/// How a convolution of bytes is cut into strips of its output, and what is prepared for each.

#include "quantised/quantised_convolution.hpp"
#include "simd/byte_product_functions.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// One spatial axis.
struct ByteAxis {
  /// Places of the input, with padding, that `places` neighbours of the output read.
  std::int64_t CountRead(std::int64_t places) const {
    return (places - 1) * stride + (kernel - 1) * dilation + 1;
  }

  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t output = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;
};

/// Some lines of one slice of the output of one image.
struct ByteStrip {
  std::int64_t image;
  std::int64_t slice;
  std::int64_t first_line;
  std::int64_t num_lines;
};

/// The output is computed strip by strip. The elements that a strip reads, with padding, are
/// prepared first: [slices of the kernel, lines, places, channels].
/// Channels of each group are filled up there, to pairs; where each channel is a group of its own,
/// all channels together are, to panels.
class ByteGeometry {
 public:
  explicit ByteGeometry(const ConvolutionDims& dims);

  std::int64_t CountStrips() const;
  ByteStrip FindStrip(std::int64_t index) const;
  /// Panels of filters. No panel has filters of two groups, but where each channel is one.
  std::int64_t CountPanels() const { return has_own_channels ? panels : groups * panels; }
  std::int64_t CountElementsOfStrip() const { return axes[0].kernel * slice_step; }
  std::int64_t CountWeights() const;

  std::int64_t images;
  std::int64_t groups = 1;
  std::int64_t filters;                        // of a group
  std::int64_t channels;                       // of a group
  std::array<ByteAxis, kMaxSpatialRank> axes;  // slices, lines, places
  bool has_own_channels;                       // each filter reads the one channel of its group

  std::int64_t group_step;  // elements between groups of a prepared place, filled up
  std::int64_t place_step;
  std::int64_t line_step;
  std::int64_t slice_step;  // of a strip with all lines that it may have
  std::int64_t strip_lines;
  std::int64_t panels;             // of a group, or of all
  std::vector<std::int64_t> runs;  // where elements that lie together begin
  std::int64_t run_size;           // and how many they are, filled up

 private:
  void JoinAxes();
  void SetSteps();
  void SetRuns();
};

/// How bytes become numbers.
struct ByteType {
  std::int32_t sign_bit;  // 128, or 0 for uint8
  std::int32_t zero_point;
};

/// Widens the elements that a strip reads from an input with its channels last, without their zero
/// point. Padding counts as the zero point, and becomes 0.
void PrepareStrip(const ByteGeometry& geometry, const ByteStrip& strip, ByteType type,
                  const unsigned char* input, std::int16_t* elements);

/// Refuses a layer with a ConvolutionDescriptor for which one line of the output reads too much.
void RequireModestLine(const Layer& layer, Refusal& refusal);

/// Lays out the weights for the functions of simd/byte_product_functions.hpp, without their zero
/// points.
void PackByteWeights(const QuantisedConvolution& convolution, const ByteGeometry& geometry,
                     const std::int32_t* zero_points, const void* weights, std::int16_t* packed);

}  // namespace cpuacc
}  // namespace backplane
