#pragma once

#include "images/image.hpp"

#include <string>
#include <string_view>

namespace backplane::execute_network {

/// The image in the content of a binary PGM or PPM file (P5, P6), of 8 or 16 bits.
/// Errors: DiagnosticException with kTensorFileUnreadable: the text forms and bitmaps (P1 to P4), a
/// header that cannot be read, more or less data than it states, samples above its maximum.
Image ParsePnm(std::string_view bytes, const std::string& path);

}  // namespace backplane::execute_network
