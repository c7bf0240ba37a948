#pragma once

#include <backplane/host/diagnostic.hpp>

#include <fstream>
#include <string>

namespace backplane::onnx {

/// Opens a regular file.
/// Errors: DiagnosticException with `code`: the file does not exist (with the nearest name in its
/// folder), is not a regular file (never waits on a pipe), is larger than a protobuf message may
/// be, or cannot be read.
std::ifstream OpenFile(const std::string& path, DiagnosticCode code);

/// The content of a regular file.
/// Errors: as OpenFile.
std::string ReadFile(const std::string& path, DiagnosticCode code);

}  // namespace backplane::onnx
