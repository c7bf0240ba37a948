#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::execute_network::test {

enum class Interlacing { kNone, kAdam7 };

/// A picture to be written by libpng.
struct PngPicture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  int colour_type = 0;  // PNG_COLOR_TYPE_...
  int bit_depth = 8;
  Interlacing interlacing = Interlacing::kNone;
  std::vector<std::uint16_t> samples;    // indices, for a palette
  std::vector<std::uint8_t> palette;     // red, green, blue, ...
  std::vector<std::uint8_t> alphas;      // of the colours of the palette
  std::vector<std::uint16_t> invisible;  // the samples of the transparent colour
};

/// How many samples a pixel has in the file.
std::uint32_t CountSamples(int colour_type);

std::string MakePng(const PngPicture& picture);

}  // namespace backplane::execute_network::test
