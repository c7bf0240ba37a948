#pragma once

#include "images/image.hpp"

#include <string>
#include <string_view>

namespace backplane::execute_network {

/// The image in the content of a PNG file, of any colour type and depth. Palettes are looked up,
/// and a transparent colour becomes a channel alpha. Samples are as the file has them, without a
/// correction of gamma.
/// Errors: DiagnosticException with kTensorFileUnreadable: what libpng refuses, with its words, and
/// extents that the file is too short for; all of them, when this was built without libpng.
Image ParsePng(std::string_view bytes, const std::string& path);

}  // namespace backplane::execute_network
