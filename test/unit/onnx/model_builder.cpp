#include "model_builder.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace backplane::onnx::test {

using ::onnx::AttributeProto;
using ::onnx::TensorProto;

NodeBuilder& NodeBuilder::Name(const std::string& name) {
  proto_.set_name(name);
  return *this;
}

NodeBuilder& NodeBuilder::Domain(const std::string& domain) {
  proto_.set_domain(domain);
  return *this;
}

AttributeProto& NodeBuilder::Add(const std::string& name, AttributeProto::AttributeType type) {
  AttributeProto& attribute = *proto_.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

NodeBuilder& NodeBuilder::Int(const std::string& name, std::int64_t value) {
  Add(name, AttributeProto::INT).set_i(value);
  return *this;
}

NodeBuilder& NodeBuilder::Ints(const std::string& name, const Dims& values) {
  AttributeProto& attribute = Add(name, AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
  return *this;
}

NodeBuilder& NodeBuilder::Float(const std::string& name, float value) {
  Add(name, AttributeProto::FLOAT).set_f(value);
  return *this;
}

NodeBuilder& NodeBuilder::String(const std::string& name, const std::string& value) {
  Add(name, AttributeProto::STRING).set_s(value);
  return *this;
}

NodeBuilder& NodeBuilder::Tensor(const std::string& name, const TensorProto& value) {
  *Add(name, AttributeProto::TENSOR).mutable_t() = value;
  return *this;
}

ModelBuilder::ModelBuilder(std::int64_t opset) {
  model_.set_ir_version(8);
  auto& import = *model_.add_opset_import();
  import.set_domain("");
  import.set_version(opset);
  model_.mutable_graph()->set_name("test");
}

namespace {

void Describe(const std::string& name, const Dims& dims, ::onnx::ValueInfoProto& value) {
  value.set_name(name);
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(TensorProto::FLOAT);
  type.mutable_shape();
  for (const std::int64_t dim : dims) {
    auto& proto = *type.mutable_shape()->add_dim();
    if (dim >= 0) {
      proto.set_dim_value(dim);
    } else {
      proto.set_dim_param("batch");
    }
  }
}

}  // namespace

ModelBuilder& ModelBuilder::Input(const std::string& name, const Dims& dims) {
  Describe(name, dims, *model_.mutable_graph()->add_input());
  return *this;
}

ModelBuilder& ModelBuilder::Output(const std::string& name, const Dims& dims) {
  Describe(name, dims, *model_.mutable_graph()->add_output());
  return *this;
}

TensorProto MakeFloats(const std::string& name, const Dims& dims,
                       const std::vector<float>& values) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::FLOAT);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  for (const float value : values) tensor.add_float_data(value);
  return tensor;
}

ModelBuilder& ModelBuilder::Floats(const std::string& name, const Dims& dims,
                                   const std::vector<float>& values) {
  *model_.mutable_graph()->add_initializer() = MakeFloats(name, dims, values);
  return *this;
}

ModelBuilder& ModelBuilder::Int64s(const std::string& name, const Dims& values) {
  TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return *this;
}

NodeBuilder ModelBuilder::Node(const std::string& op_type, const Names& inputs,
                               const Names& outputs) {
  ::onnx::NodeProto& node = *model_.mutable_graph()->add_node();
  node.set_op_type(op_type);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return NodeBuilder(node);
}

ImportedModel ModelBuilder::Import(const ImportOptions& options) const {
  const TemporaryDirectory folder;
  ImportOptions fixed = options;
  fixed.must_be_fixed = true;
  return ImportModel(folder.Write("m.onnx", model_.SerializeAsString()), fixed);
}

Diagnostic ModelBuilder::ImportError(const ImportOptions& options) const {
  return Catch([&] { Import(options); });
}

TensorShape ModelBuilder::GetOutputShape() const {
  return Import().network->GetOutputs().at(0).info.shape;
}

std::vector<float> ModelBuilder::Run(const std::vector<std::vector<float>>& inputs) const {
  const ImportedModel imported = Import();
  const auto runtime = IRuntime::Create({});
  const auto optimized = Optimize(*imported.network, {"CpuRef"}, runtime->GetDeviceSpec());
  const NetworkId id = runtime->LoadNetwork(optimized);
  InputTensors input_tensors;
  for (const NetworkBinding& input : optimized->GetInputs()) {
    EXPECT_EQ(inputs.at(input.id).size() * sizeof(float), input.info.GetSizeBytes());
    input_tensors.push_back({input.id, {input.info, inputs.at(input.id).data()}});
  }
  const NetworkBinding output = optimized->GetOutputs().at(0);
  std::vector<float> result(output.info.GetSizeBytes() / sizeof(float));
  std::optional<Diagnostic> failure;
  const Status status = runtime->EnqueueWorkload(
      id, input_tensors, {{output.id, result.data(), output.info.GetSizeBytes()}}, &failure);
  EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
  return result;
}

Diagnostic Catch(const std::function<void()>& call) {
  try {
    call();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Diagnostic{DiagnosticCode{}};
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace backplane::onnx::test
