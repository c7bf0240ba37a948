#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// How the value between elements is found. Numbers are never reused.
enum class Interpolation : std::uint32_t {
  kNearest = 1,
  kLinear = 2,  // of the 2 neighbours along each axis
  kCubic = 3,   // of the 4 neighbours along each axis
};

/// Where element x of an output axis lies in the input, whose extent is n. The extent of the output
/// axis is m; where a scale below 1 is stated, kAlignCorners has n * scale in its place, which need
/// not be an integer, as the tests of ONNX have it.
enum class ResizeCoordinates : std::uint32_t {
  kHalfPixel = 1,           // (x + 0.5) / scale - 0.5
  kPytorchHalfPixel = 2,    // the same, but 0 when the output has extent 1
  kAlignCorners = 3,        // x * (n - 1) / (m - 1), or 0 when m is 1
  kAsymmetric = 4,          // x / scale
  kTfHalfPixelForNn = 5,    // (x + 0.5) / scale
  kTfCropAndResize = 6,     // in the part of the input from roi_begin to roi_end; see below
  kHalfPixelSymmetric = 7,  // kHalfPixel + (1 - m / (n * scale)) * n / 2: the middle of the output
                            // is that of the input
};

/// Which of its neighbours is nearest to a coordinate.
enum class NearestRounding : std::uint32_t {
  kRoundPreferFloor = 1,  // the nearer one; the lower one half way
  kRoundPreferCeil = 2,   // the nearer one; the higher one half way
  kFloor = 3,
  kCeil = 4,
};

/// Stretches or shrinks any of the axes. An axis whose extent stays and whose scale is 1 is left as
/// it is, except with kTfCropAndResize. Neighbours outside of the input are the elements at its
/// ends.
///
/// kTfCropAndResize: begin and end of the part are fractions of n - 1; an element of the output
/// whose coordinate is less than 0 or more than n - 1 along any axis is `extrapolation_value`.
///
/// Integers: kNearest moves them; kLinear rounds the exact result to nearest, ties to even, and
/// takes those of up to 32 bits; kCubic takes none. `extrapolation_value` is rounded and saturated.
struct ResizeDescriptor : Descriptor<ResizeDescriptor> {
  Interpolation interpolation = Interpolation::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  NearestRounding rounding = NearestRounding::kRoundPreferFloor;  // only for kNearest
  std::uint32_t exclude_outside = 0;  // 1: neighbours outside count nothing; only for kCubic
  float cubic_coefficient = -0.75F;
  float extrapolation_value = 0.0F;
  std::uint32_t rank = 0;               // of the input; entries behind it are not read
  std::int64_t extents[kMaxRank] = {};  // of the output
  double scales[kMaxRank] = {};         // 0: the extent of the output / that of the input
  double roi_begin[kMaxRank] = {};      // only for kTfCropAndResize
  double roi_end[kMaxRank] = {1, 1, 1, 1, 1, 1, 1, 1};
};
BACKPLANE_CHECK_DESCRIPTOR(ResizeDescriptor, roi_end);

}  // namespace backplane
