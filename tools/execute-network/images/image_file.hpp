#pragma once

#include "images/image.hpp"

#include <string>

namespace backplane::execute_network {

/// Reads a PNG, PGM or PPM image; its first bytes say which.
/// Errors: DiagnosticException with kTensorFileUnreadable, as ReadDataFile, ParsePng and ParsePnm.
Image ReadImageFile(const std::string& path);

}  // namespace backplane::execute_network
