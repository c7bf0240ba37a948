#include "images/image.hpp"

#include "files/data_file.hpp"

namespace backplane::execute_network {

void CheckImageExtents(std::uint64_t width, std::uint64_t height, const std::string& path) {
  const std::string found = "it is " + std::to_string(width) + "x" + std::to_string(height);
  if (width == 0 || height == 0) {
    ThrowUnreadable(path, found + " pixels, which is none", "give another image");
  }
  if (width > kMaxImageExtent || height > kMaxImageExtent || width * height > kMaxImagePixels) {
    ThrowUnreadable(path,
                    found + " pixels; at most " + std::to_string(kMaxImageExtent) +
                        " in each direction and " + std::to_string(kMaxImagePixels) +
                        " in all are read",
                    "give a smaller image");
  }
}

}  // namespace backplane::execute_network
