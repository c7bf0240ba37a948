#pragma once

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/export.hpp>
#include <backplane/runtime/i_network.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

struct ImportOptions {
  /// The shapes of inputs whose dimensions the model leaves open, by name. A shape given for an
  /// input that states its own must agree with it.
  std::map<std::string, TensorShape> input_shapes;
};

struct ImportedModel {
  std::unique_ptr<INetwork> network;  // inputs and outputs have the model's names
  std::vector<Diagnostic> warnings;
};

/// Reads an ONNX model and makes a network of it.
/// Errors: DiagnosticException with kModelNotFound, kNotAModel, kInvalidModel, kUnsupportedOpset,
/// kUnknownDimension, kWrongInput (a shape for an input that does not exist, or that disagrees),
/// kUnsupportedOperator or kUnsupportedAttribute (all unsupported nodes as causes).
/// Threads: any.
BACKPLANE_ONNX_API ImportedModel ImportModel(const std::string& path,
                                             const ImportOptions& options = {});

/// An input that a model asks for; initializers are left out. Dimensions left open are -1.
struct ModelInput {
  std::string name;
  DataType data_type = DataType::kUndefined;
  std::vector<std::int64_t> dims;
  std::vector<std::string> dim_names;  // for each dimension: its name in the model, or ""
};

/// Reads only what inputs a model has, in the order of the model.
/// Errors: DiagnosticException with kModelNotFound, kNotAModel, kInvalidModel.
/// Threads: any.
BACKPLANE_ONNX_API std::vector<ModelInput> ReadModelInputs(const std::string& path);

/// A tensor with its data and, when it came from a file, the name it has there.
struct NamedTensor {
  std::string name;
  TensorInfo info;
  std::vector<unsigned char> data;  // dense, outermost axis first
};

/// Reads a serialised TensorProto, as in the test data of ONNX.
/// Errors: DiagnosticException with kTensorFileUnreadable.
/// Threads: any.
BACKPLANE_ONNX_API NamedTensor ReadTensorFile(const std::string& path);

/// Writes a serialised TensorProto.
/// Errors: DiagnosticException with kOutputUnwritable.
/// Threads: any.
BACKPLANE_ONNX_API void WriteTensorFile(const std::string& path, const NamedTensor& tensor);

}  // namespace backplane::onnx
