#include "images/png_image.hpp"

#include "files/data_file.hpp"

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

namespace backplane::execute_network {
namespace {

/// What a call of libpng that fails leaves.
struct Failure {
  std::jmp_buf escape;
  char text[200] = "";
};

struct Source {
  std::string_view bytes;
  std::size_t next = 0;
};

void OnError(png_structp png, png_const_charp text) {
  auto& failure = *static_cast<Failure*>(png_get_error_ptr(png));
  std::snprintf(failure.text, sizeof(failure.text), "%s", text);
  std::longjmp(failure.escape, 1);
}

void OnWarning(png_structp /*png*/, png_const_charp /*text*/) {}

void OnRead(png_structp png, png_bytep target, std::size_t size) {
  auto& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (source.bytes.size() - source.next < size) png_error(png, "the file ends too early");
  std::memcpy(target, source.bytes.data() + source.next, size);
  source.next += size;
}

/// A reader of libpng, which leaves its functions by longjmp: those that can be left so have no
/// objects that would have to be destroyed.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : source_{bytes} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, OnError, OnWarning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Up to the pixels. False: see GetError.
  bool ReadHeader() {
    if (info_ == nullptr) return false;
    if (setjmp(failure_.escape) != 0) return false;
    png_set_read_fn(png_, &source_, OnRead);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // ours are checked below
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
    png_read_info(png_, info_);
    return true;
  }

  /// Has palettes, small samples and transparent colours become full channels.
  bool Expand() {
    if (setjmp(failure_.escape) != 0) return false;
    png_set_expand(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool ReadRows(png_bytepp rows) {
    if (setjmp(failure_.escape) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  std::uint32_t GetWidth() const { return png_get_image_width(png_, info_); }
  std::uint32_t GetHeight() const { return png_get_image_height(png_, info_); }
  std::uint32_t GetChannels() const { return png_get_channels(png_, info_); }
  std::uint32_t GetBitDepth() const { return png_get_bit_depth(png_, info_); }
  std::size_t GetRowBytes() const { return png_get_rowbytes(png_, info_); }
  std::string GetError() const {
    return failure_.text[0] != '\0' ? failure_.text : "there is too little memory";
  }

 private:
  Failure failure_;
  Source source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

[[noreturn]] void Refuse(const std::string& path, const Reader& reader) {
  ThrowUnreadable(path, "libpng says: " + reader.GetError(), "copy or write the image again");
}

// Deflate makes at most 1032 bytes of one, so that a short file cannot ask for much memory.
void CheckIsPossible(const Reader& reader, std::size_t file_bytes, const std::string& path) {
  constexpr std::uint64_t kMaxRatio = 1032;
  CheckImageExtents(reader.GetWidth(), reader.GetHeight(), path);
  const std::uint64_t needed = std::uint64_t{reader.GetRowBytes()} * reader.GetHeight();
  if (needed / kMaxRatio <= file_bytes) return;
  ThrowUnreadable(path,
                  "it is to be " + std::to_string(reader.GetWidth()) + "x" +
                      std::to_string(reader.GetHeight()) + " pixels, which its " +
                      std::to_string(file_bytes) + " bytes cannot hold",
                  "copy or write the image again");
}

std::vector<std::uint16_t> Widen(const std::vector<unsigned char>& bytes, std::uint32_t depth) {
  if (depth == 8) return {bytes.begin(), bytes.end()};
  std::vector<std::uint16_t> samples(bytes.size() / 2);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<std::uint16_t>(bytes[2 * i] * 256 + bytes[2 * i + 1]);
  }
  return samples;
}

}  // namespace

Image ParsePng(std::string_view bytes, const std::string& path) {
  Reader reader(bytes);
  if (!reader.ReadHeader()) Refuse(path, reader);
  CheckIsPossible(reader, bytes.size(), path);
  if (!reader.Expand()) Refuse(path, reader);
  Image image;
  image.width = reader.GetWidth();
  image.height = reader.GetHeight();
  image.channels = reader.GetChannels();
  image.max_sample = reader.GetBitDepth() == 16 ? 65535 : 255;
  std::vector<unsigned char> pixels(reader.GetRowBytes() * image.height);
  std::vector<png_bytep> rows(image.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = &pixels[y * reader.GetRowBytes()];
  if (!reader.ReadRows(rows.data())) Refuse(path, reader);
  image.samples = Widen(pixels, reader.GetBitDepth());
  return image;
}

}  // namespace backplane::execute_network
