#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// How outputs are written to files.
enum class OutputFormat { kTensorProto, kArray };

/// What one output of a model came to.
struct OutputValue {
  std::string name;
  onnx::ValueForm form;
  StageValue value;
};

/// Writes output_0.pb, output_1.pb, ... into a folder, which is made when it does not exist; with a
/// SequenceProto or an OptionalProto of what is no tensor. Or arrays, output_0.npy, ...; the
/// tensors of a sequence become output_0_0.npy, output_0_1.npy.
/// Errors: DiagnosticException with kOutputUnwritable.
void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<OutputValue>& outputs);

}  // namespace backplane::execute_network
