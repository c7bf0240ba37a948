#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// How outputs are written to files.
enum class OutputFormat { kTensorProto, kArray };

/// Writes output_0.pb, output_1.pb, ... or, as arrays, output_0.npy, ... into a folder, which is
/// made when it does not exist.
/// Errors: DiagnosticException with kOutputUnwritable.
void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<onnx::NamedTensor>& outputs);

}  // namespace backplane::execute_network
