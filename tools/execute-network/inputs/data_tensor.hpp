#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include "files/data_file.hpp"

#include <string>

namespace backplane::execute_network {

/// Reads an ONNX tensor file or a NumPy array; the content says which.
/// Errors: DiagnosticException with kTensorFileUnreadable, also for images, whose data depends on
/// the input that they are for.
onnx::NamedTensor ReadDataTensor(const std::string& path);

}  // namespace backplane::execute_network
