#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// How outputs are written to files.
enum class OutputFormat { kTensorProto, kArray };

/// Writes output_0.pb, output_1.pb, ... or, as arrays, output_0.npy, ... into a folder, which is
/// made when it does not exist; the numbers are those of `names`. The tensors y[0], y[1] of a
/// sequence y, see Flatten, become output_0_0.pb, output_0_1.pb.
/// Errors: DiagnosticException with kOutputUnwritable.
void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<std::string>& names,
                      const std::vector<onnx::NamedTensor>& outputs);

}  // namespace backplane::execute_network
