#pragma once

#include <string>
#include <vector>

namespace backplane::execute_network {

/// The names of classes, from a text file with one in each line, in the order of the classes.
/// Errors: DiagnosticException with kTensorFileUnreadable for a file that cannot be read, or has no
/// line.
std::vector<std::string> ReadLabels(const std::string& path);

}  // namespace backplane::execute_network
