#include "images/png_maker.hpp"

#include <png.h>

#include <cstdlib>

namespace backplane::execute_network::test {
namespace {

void Append(png_structp png, png_bytep bytes, std::size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(bytes), size);
}

void Fail(png_structp /*png*/, png_const_charp /*text*/) {
  std::abort();
}

// One row, its samples packed as in the file.
std::vector<png_byte> PackRow(const std::uint16_t* samples, std::size_t count, int depth) {
  std::vector<png_byte> row((count * static_cast<unsigned>(depth) + 7) / 8);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bit = i * static_cast<unsigned>(depth);
    if (depth == 16) {
      row[bit / 8] = static_cast<png_byte>(samples[i] >> 8U);
      row[bit / 8 + 1] = static_cast<png_byte>(samples[i] & 0xFFU);
    } else {
      const unsigned shift = 8U - static_cast<unsigned>(depth) - bit % 8;
      row[bit / 8] = static_cast<png_byte>(row[bit / 8] | (samples[i] << shift));
    }
  }
  return row;
}

void WritePalette(const PngPicture& picture, png_structp png, png_infop info) {
  std::vector<png_color> colours;
  for (std::size_t i = 0; i < picture.palette.size(); i += 3) {
    colours.push_back({picture.palette[i], picture.palette[i + 1], picture.palette[i + 2]});
  }
  if (!colours.empty()) png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  if (!picture.alphas.empty()) {
    png_set_tRNS(png, info, picture.alphas.data(), static_cast<int>(picture.alphas.size()),
                 nullptr);
  }
  if (picture.invisible.empty()) return;
  png_color_16 colour{};
  colour.gray = colour.red = picture.invisible[0];
  colour.green = picture.invisible.size() > 1 ? picture.invisible[1] : 0;
  colour.blue = picture.invisible.size() > 2 ? picture.invisible[2] : 0;
  png_set_tRNS(png, info, nullptr, 0, &colour);
}

}  // namespace

std::uint32_t CountSamples(int colour_type) {
  switch (colour_type) {
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return 2;
    case PNG_COLOR_TYPE_RGB:
      return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
      return 4;
    default:
      return 1;
  }
}

std::string MakePng(const PngPicture& picture) {
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, Fail, Fail);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &file, Append, nullptr);
  png_set_IHDR(
      png, info, picture.width, picture.height, picture.bit_depth, picture.colour_type,
      picture.interlacing == Interlacing::kAdam7 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  WritePalette(picture, png, info);
  const std::size_t row_samples = std::size_t{picture.width} * CountSamples(picture.colour_type);
  std::vector<std::vector<png_byte>> rows;
  std::vector<png_bytep> pointers;
  for (std::size_t y = 0; y < picture.height; ++y) {
    rows.push_back(PackRow(&picture.samples[y * row_samples], row_samples, picture.bit_depth));
  }
  for (std::vector<png_byte>& row : rows) pointers.push_back(row.data());
  png_write_info(png, info);
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

}  // namespace backplane::execute_network::test
