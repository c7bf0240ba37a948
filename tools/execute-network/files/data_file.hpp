#pragma once

#include <string>

namespace backplane::execute_network {

/// What a file with data for a tensor is, going by its first bytes and, where these say nothing, by
/// the end of its name.
enum class DataFileKind {
  kTensorProto,  // also for files that do not exist, and for all that is nothing else
  kArray,        // of NumPy
  kImage,
};

/// Opens regular files only, so that a pipe does not keep it waiting.
DataFileKind RecogniseDataFile(const std::string& path);

/// The content of a regular file.
/// Errors: DiagnosticException with kTensorFileUnreadable.
std::string ReadDataFile(const std::string& path);

/// Throws kTensorFileUnreadable: "<path> cannot be read", why, and what to do.
[[noreturn]] void ThrowUnreadable(const std::string& path, const std::string& why,
                                  const std::string& fix);

}  // namespace backplane::execute_network
