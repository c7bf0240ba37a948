#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/import_model.hpp>

#include "temporary_directory.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx::test {

using Dims = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

using backplane::test::TemporaryDirectory;

/// A node that is being described.
class NodeBuilder {
 public:
  explicit NodeBuilder(::onnx::NodeProto& proto) : proto_(proto) {}
  NodeBuilder& Name(const std::string& name);
  NodeBuilder& Domain(const std::string& domain);
  NodeBuilder& Int(const std::string& name, std::int64_t value);
  NodeBuilder& Ints(const std::string& name, const Dims& values);
  NodeBuilder& Float(const std::string& name, float value);
  NodeBuilder& String(const std::string& name, const std::string& value);
  NodeBuilder& Tensor(const std::string& name, const ::onnx::TensorProto& value);

 private:
  ::onnx::AttributeProto& Add(const std::string& name, ::onnx::AttributeProto::AttributeType type);
  ::onnx::NodeProto& proto_;
};

/// A small model of float tensors.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::int64_t opset = 13);

  /// A dimension of -1 is left open, under the name "batch".
  ModelBuilder& Input(const std::string& name, const Dims& dims);
  ModelBuilder& Output(const std::string& name, const Dims& dims = {-1});
  ModelBuilder& Floats(const std::string& name, const Dims& dims, const std::vector<float>& values);
  ModelBuilder& Int64s(const std::string& name, const Dims& values);
  NodeBuilder Node(const std::string& op_type, const Names& inputs, const Names& outputs);

  ::onnx::ModelProto& GetProto() { return model_; }
  /// Writes the model to a temporary file and imports that.
  ImportedModel Import(const ImportOptions& options = {}) const;
  /// The diagnostic with which Import fails; a test failure when it does not.
  Diagnostic ImportError(const ImportOptions& options = {}) const;
  /// Imports and runs on CpuRef; the inputs in the order of the model. Gives the first output.
  std::vector<float> Run(const std::vector<std::vector<float>>& inputs) const;
  /// The shape of the first output.
  TensorShape GetOutputShape() const;

 private:
  ::onnx::ModelProto model_;
};

::onnx::TensorProto MakeFloats(const std::string& name, const Dims& dims,
                               const std::vector<float>& values);

/// The diagnostic that a call throws; a test failure when it throws none.
Diagnostic Catch(const std::function<void()>& call);

bool Contains(const std::string& text, const std::string& part);

}  // namespace backplane::onnx::test
