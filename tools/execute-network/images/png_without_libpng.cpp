#include "images/png_image.hpp"

#include "files/data_file.hpp"

namespace backplane::execute_network {

Image ParsePng(std::string_view /*bytes*/, const std::string& path) {
  ThrowUnreadable(path, "it is a PNG image, which this build of execute-network cannot read",
                  "convert it to PPM, or build Backplane where libpng-dev is installed");
}

}  // namespace backplane::execute_network
