#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// A picture as its file has it: rows from the top, in each row pixels from the left, in each pixel
/// its channels.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 0;      // 1: grey; 2: grey, alpha; 3: red, green, blue; 4: and alpha
  std::uint32_t max_sample = 255;  // what stands for full intensity
  std::vector<std::uint16_t> samples;
};

constexpr std::uint32_t kMaxImageExtent = 65535;
constexpr std::uint64_t kMaxImagePixels = std::uint64_t{1} << 26U;

/// Refuses an image whose stated extents are zero or beyond these limits, before memory is taken
/// for it.
/// Errors: DiagnosticException with kTensorFileUnreadable.
void CheckImageExtents(std::uint64_t width, std::uint64_t height, const std::string& path);

}  // namespace backplane::execute_network
