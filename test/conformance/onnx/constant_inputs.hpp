#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include <string>
#include <vector>

namespace backplane::test {

/// Imports a model for these inputs, named as the model names them. When that fails because a shape
/// depends on data, as few of the inputs as possible, and of those the last ones, are given as
/// constants.
/// Errors: DiagnosticException of the import without constants.
onnx::ImportedModel ImportForInputs(const std::string& model,
                                    const std::vector<onnx::NamedTensor>& inputs);

/// As ImportForInputs, with no inputs as constants.
onnx::ImportedModel ImportWithoutConstants(const std::string& model,
                                           const std::vector<onnx::NamedTensor>& inputs);

/// As ImportForInputs, with all inputs as constants: what the importer can evaluate, it does.
onnx::ImportedModel ImportWithConstants(const std::string& model,
                                        const std::vector<onnx::NamedTensor>& inputs);

}  // namespace backplane::test
