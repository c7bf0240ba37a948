#include "images/image_file.hpp"

#include "files/data_file.hpp"
#include "images/png_image.hpp"
#include "images/pnm_image.hpp"

namespace backplane::execute_network {

Image ReadImageFile(const std::string& path) {
  const std::string bytes = ReadDataFile(path);
  const bool is_png = bytes.compare(0, 4, "\x89PNG") == 0;
  return is_png ? ParsePng(bytes, path) : ParsePnm(bytes, path);
}

}  // namespace backplane::execute_network
