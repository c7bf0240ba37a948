#include "images/pnm_image.hpp"

#include "files/data_file.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace backplane::execute_network {
namespace {

bool IsBlank(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

/// Goes through the header, whose numbers stand between blanks and comments.
class HeaderNumbers {
 public:
  HeaderNumbers(std::string_view bytes, std::size_t begin, const std::string& path)
      : bytes_(bytes), next_(begin), path_(path) {}

  std::uint64_t Read(const std::string& name) {
    if (!SkipBlanks()) RefuseNext("a blank before " + name);
    const char* const begin = bytes_.data() + next_;
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(begin, bytes_.data() + bytes_.size(), number);
    if (error != std::errc()) RefuseNext(name + ", a whole number");
    next_ += static_cast<std::size_t>(rest - begin);
    return number;
  }

  /// The one blank that stands before the pixels; what follows it is theirs.
  std::size_t FindPixels() {
    if (next_ == bytes_.size() || !IsBlank(bytes_[next_])) RefuseNext("a blank before the pixels");
    return next_ + 1;
  }

 private:
  bool SkipBlanks() {
    const std::size_t begin = next_;
    while (next_ < bytes_.size()) {
      if (bytes_[next_] == '#') {
        next_ = std::min(bytes_.find_first_of("\r\n", next_), bytes_.size());
      } else if (IsBlank(bytes_[next_])) {
        ++next_;
      } else {
        break;
      }
    }
    return next_ > begin;
  }

  [[noreturn]] void RefuseNext(const std::string& expected) const {
    const std::string found = next_ == bytes_.size()
                                  ? "the end of the file"
                                  : "the byte " + std::to_string(std::uint8_t(bytes_[next_]));
    ThrowUnreadable(
        path_, "found " + found + " at byte " + std::to_string(next_) + ", expected " + expected,
        "write the image again");
  }

  std::string_view bytes_;
  std::size_t next_;
  const std::string& path_;
};

std::uint32_t ReadChannels(std::string_view bytes, const std::string& path) {
  const std::string_view kind = bytes.substr(0, 2);
  if (kind == "P5") return 1;
  if (kind == "P6") return 3;
  if (kind.size() == 2 && kind[0] == 'P' && kind[1] >= '1' && kind[1] <= '4') {
    ThrowUnreadable(
        path,
        "it is " + std::string(kind) +
            ", a bitmap or an image as text; supported are binary PGM (P5) and PPM (P6)",
        "convert it to one of these, or to PNG");
  }
  ThrowUnreadable(path, "it is no PGM, PPM or PNG image, going by its first bytes",
                  "give an image in one of these formats");
}

void CheckDataSize(const Image& image, std::size_t found, std::uint64_t expected,
                   const std::string& path) {
  if (found == expected) return;
  ThrowUnreadable(path,
                  "it has " + std::to_string(found) + " bytes of pixels; " +
                      std::to_string(image.width) + "x" + std::to_string(image.height) +
                      " pixels need " + std::to_string(expected),
                  found < expected ? "copy it again" : "give a file with one image");
}

void ReadSamples(std::string_view pixels, Image& image, const std::string& path) {
  const std::size_t size = image.max_sample > 255 ? 2 : 1;
  image.samples.resize(pixels.size() / size);
  for (std::size_t i = 0; i < image.samples.size(); ++i) {
    std::uint32_t sample = std::uint8_t(pixels[i * size]);
    if (size == 2) sample = sample * 256 + std::uint8_t(pixels[i * size + 1]);
    if (sample > image.max_sample) {
      ThrowUnreadable(path,
                      "it has the sample " + std::to_string(sample) + ", but states " +
                          std::to_string(image.max_sample) + " as the largest",
                      "write the image again");
    }
    image.samples[i] = static_cast<std::uint16_t>(sample);
  }
}

}  // namespace

Image ParsePnm(std::string_view bytes, const std::string& path) {
  Image image;
  image.channels = ReadChannels(bytes, path);
  HeaderNumbers header(bytes, 2, path);
  const std::uint64_t width = header.Read("the width");
  const std::uint64_t height = header.Read("the height");
  const std::uint64_t max_sample = header.Read("the largest sample");
  CheckImageExtents(width, height, path);
  if (max_sample < 1 || max_sample > 65535) {
    ThrowUnreadable(
        path,
        "its largest sample is to be " + std::to_string(max_sample) + "; possible are 1 to 65535",
        "write the image again");
  }
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  image.max_sample = static_cast<std::uint32_t>(max_sample);
  const std::string_view pixels = bytes.substr(header.FindPixels());
  CheckDataSize(image, pixels.size(), width * height * image.channels * (max_sample > 255 ? 2 : 1),
                path);
  ReadSamples(pixels, image, path);
  return image;
}

}  // namespace backplane::execute_network
