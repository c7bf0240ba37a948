#include "images/png_image.hpp"

#include "images/png_maker.hpp"
#include "refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <random>

namespace backplane::execute_network::test {
namespace {

using testing::ElementsAre;

struct Kind {
  int colour_type;
  int bit_depth;
};

constexpr Kind kKinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1},        {PNG_COLOR_TYPE_GRAY, 2},      {PNG_COLOR_TYPE_GRAY, 4},
    {PNG_COLOR_TYPE_GRAY, 8},        {PNG_COLOR_TYPE_GRAY, 16},     {PNG_COLOR_TYPE_RGB, 8},
    {PNG_COLOR_TYPE_RGB, 16},        {PNG_COLOR_TYPE_PALETTE, 1},   {PNG_COLOR_TYPE_PALETTE, 2},
    {PNG_COLOR_TYPE_PALETTE, 4},     {PNG_COLOR_TYPE_PALETTE, 8},   {PNG_COLOR_TYPE_GRAY_ALPHA, 8},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16}, {PNG_COLOR_TYPE_RGB_ALPHA, 8}, {PNG_COLOR_TYPE_RGB_ALPHA, 16},
};

PngPicture MakePicture(const Kind& kind, std::mt19937& engine) {
  PngPicture picture;
  picture.width = static_cast<std::uint32_t>(1 + engine() % 20);
  picture.height = static_cast<std::uint32_t>(1 + engine() % 20);
  picture.colour_type = kind.colour_type;
  picture.bit_depth = kind.bit_depth;
  picture.interlacing = engine() % 2 == 0 ? Interlacing::kNone : Interlacing::kAdam7;
  const std::size_t count =
      std::size_t{picture.width} * picture.height * CountSamples(kind.colour_type);
  for (std::size_t i = 0; i < count; ++i) {
    picture.samples.push_back(
        static_cast<std::uint16_t>(engine() & ((1U << static_cast<unsigned>(kind.bit_depth)) - 1)));
  }
  if (kind.colour_type != PNG_COLOR_TYPE_PALETTE) return picture;
  for (int i = 0; i < 3 << kind.bit_depth; ++i) {
    picture.palette.push_back(static_cast<std::uint8_t>(engine()));
  }
  return picture;
}

// What the samples are when palettes are looked up and small ones widened.
std::vector<std::uint16_t> Expand(const PngPicture& picture) {
  std::vector<std::uint16_t> samples;
  for (const std::uint16_t sample : picture.samples) {
    if (picture.colour_type == PNG_COLOR_TYPE_PALETTE) {
      for (std::size_t c = 0; c < 3; ++c) samples.push_back(picture.palette[sample * 3U + c]);
    } else if (picture.bit_depth < 8) {
      samples.push_back(static_cast<std::uint16_t>(sample * 255 / ((1 << picture.bit_depth) - 1)));
    } else {
      samples.push_back(sample);
    }
  }
  return samples;
}

TEST(PngImage, IsReadInEveryColourTypeAndDepth) {
  std::mt19937 engine(3);
  for (const Kind& kind : kKinds) {
    for (int round = 0; round < 10; ++round) {
      const PngPicture picture = MakePicture(kind, engine);
      const Image image = ParsePng(MakePng(picture), kPath);
      SCOPED_TRACE(testing::Message() << kind.colour_type << " of " << kind.bit_depth << " bits");
      EXPECT_EQ(image.width, picture.width);
      EXPECT_EQ(image.height, picture.height);
      EXPECT_EQ(image.max_sample, kind.bit_depth == 16 ? 65535U : 255U);
      EXPECT_EQ(image.channels,
                kind.colour_type == PNG_COLOR_TYPE_PALETTE ? 3 : CountSamples(kind.colour_type));
      EXPECT_EQ(image.samples, Expand(picture));
    }
  }
}

TEST(PngImage, HasAlphaFromATransparentColour) {
  PngPicture grey{2, 1, PNG_COLOR_TYPE_GRAY, 2, Interlacing::kNone, {1, 2}, {}, {}, {2}};
  EXPECT_THAT(ParsePng(MakePng(grey), kPath).samples, ElementsAre(85, 255, 170, 0));
  PngPicture colour{2,  1,  PNG_COLOR_TYPE_RGB, 8, Interlacing::kNone, {1, 2, 3, 4, 5, 6},
                    {}, {}, {4, 5, 6}};
  EXPECT_THAT(ParsePng(MakePng(colour), kPath).samples, ElementsAre(1, 2, 3, 255, 4, 5, 6, 0));
  PngPicture palette{
      2, 1, PNG_COLOR_TYPE_PALETTE, 1, Interlacing::kNone, {1, 0}, {1, 2, 3, 4, 5, 6}, {7}, {}};
  EXPECT_THAT(ParsePng(MakePng(palette), kPath).samples, ElementsAre(4, 5, 6, 255, 1, 2, 3, 7));
}

TEST(PngImage, IsRefusedWhereverItEnds) {
  std::mt19937 engine(4);
  for (const Kind& kind : kKinds) {
    const std::string good = MakePng(MakePicture(kind, engine));
    for (std::size_t size = 4; size < good.size(); ++size) {
      ExpectUnreadable([&] { ParsePng(good.substr(0, size), kPath); }, {"libpng says: "});
    }
  }
}

// With any sum of a chunk changed libpng refuses it; so here the sums are right again.
std::string Repair(std::string file) {
  for (std::size_t begin = 8; begin + 12 <= file.size();) {
    const auto* bytes = reinterpret_cast<const png_byte*>(file.data()) + begin;
    const std::size_t length = png_get_uint_32(bytes);
    if (length > file.size() - begin - 12) break;
    std::uint32_t sum = 0xFFFFFFFFU;
    for (std::size_t i = 0; i < length + 4; ++i) {
      sum ^= bytes[4 + i];
      for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    png_save_uint_32(reinterpret_cast<png_bytep>(file.data()) + begin + 8 + length, ~sum);
    begin += length + 12;
  }
  return file;
}

void ReadAnyPng(const std::string& bytes) {
  try {
    const Image image = ParsePng(bytes, kPath);
    EXPECT_EQ(image.samples.size(), std::size_t{image.width} * image.height * image.channels);
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kTensorFileUnreadable);
  }
}

TEST(PngImage, MayHaveAnyBytesChanged) {
  std::mt19937 engine(5);
  for (const Kind& kind : kKinds) {
    const std::string good = MakePng(MakePicture(kind, engine));
    for (int round = 0; round < 300; ++round) {
      std::string damaged = good;
      for (int change = 0; change < 2; ++change) {
        damaged[8 + engine() % (damaged.size() - 8)] = static_cast<char>(engine());
      }
      ReadAnyPng(damaged);
      ReadAnyPng(Repair(damaged));
    }
  }
}

// A good file that states other extents.
std::string Claim(std::uint32_t width, std::uint32_t height) {
  PngPicture picture{1,  1, PNG_COLOR_TYPE_RGB_ALPHA, 16, Interlacing::kNone, {1, 2, 3, 4}, {},
                     {}, {}};
  std::string file = MakePng(picture);
  png_save_uint_32(reinterpret_cast<png_bytep>(file.data()) + 16, width);
  png_save_uint_32(reinterpret_cast<png_bytep>(file.data()) + 20, height);
  return Repair(file);
}

TEST(PngImage, MayClaimAnyExtents) {
  ExpectUnreadable([] { ParsePng(Claim(70000, 1), kPath); }, {"it is 70000x1 pixels; at most"});
  ExpectUnreadable([] { ParsePng(Claim(60000, 60000), kPath); }, {"67108864 in all"});
  ExpectUnreadable([] { ParsePng(Claim(8000, 8000), kPath); },
                   {"it is to be 8000x8000 pixels, which its ", " bytes cannot hold"});
  ExpectUnreadable([] { ParsePng(Claim(0, 1), kPath); }, {"libpng says: "});
  ExpectUnreadable([] { ParsePng(Claim(0xFFFFFFFFU, 1), kPath); }, {"libpng says: "});
}

}  // namespace
}  // namespace backplane::execute_network::test
