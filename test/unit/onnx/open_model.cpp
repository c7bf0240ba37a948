#include "open_model.hpp"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <cstring>

namespace backplane::onnx::test {
namespace {

template <typename Element>
Data MakeData(const TensorShape& shape, DataType type, const std::vector<Element>& values) {
  Data data;
  data.info = {shape, type};
  for (const Element value : values) {
    const auto* const begin = reinterpret_cast<const unsigned char*>(&value);
    data.bytes.insert(data.bytes.end(), begin, begin + sizeof(value));
  }
  return data;
}

OutputTensors WantAll(std::vector<ResultTensor>& results) {
  OutputTensors outputs(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    outputs[i].id = static_cast<LayerBindingId>(i);
    outputs[i].result = &results[i];
  }
  return outputs;
}

}  // namespace

Data::Data(const TensorShape& shape, const std::vector<float>& values)
    : Data(MakeData(shape, DataType::kFloat32, values)) {}

Data::Data(const TensorShape& shape, const std::vector<std::int64_t>& values)
    : Data(MakeData(shape, DataType::kInt64, values)) {}

Data::Data(const TensorShape& shape, const std::vector<bool>& values)
    : Data(MakeData(shape, DataType::kBool,
                    std::vector<unsigned char>(values.begin(), values.end()))) {}

namespace {

::onnx::ModelProto Parse(const std::string& graph) {
  const std::string text =
      graph[0] == '<' ? graph : "<ir_version: 8, opset_import: [\"\" : 16]> " + graph;
  ::onnx::ModelProto model;
  const auto status = ::onnx::OnnxParser::Parse(model, text.c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

}  // namespace

std::string MakeModel(const std::string& graph) {
  return Parse(graph).SerializeAsString();
}

::onnx::ModelProto MakeModelOf(const std::string& graph, const BindingForms& forms) {
  ::onnx::ModelProto model = Parse(graph);
  const auto wrap = [&](::onnx::ValueInfoProto& value) {
    const ::onnx::TypeProto tensor = value.type();
    ::onnx::TypeProto* type = value.mutable_type();
    if (forms.optionals.count(value.name()) > 0) {
      type = type->mutable_optional_type()->mutable_elem_type();
      *type = tensor;
    }
    if (forms.sequences.count(value.name()) > 0) {
      *type->mutable_sequence_type()->mutable_elem_type() = tensor;
    }
  };
  for (auto& input : *model.mutable_graph()->mutable_input()) wrap(input);
  for (auto& output : *model.mutable_graph()->mutable_output()) wrap(output);
  return model;
}

::onnx::ModelProto ParseCaller(const std::string& graph) {
  return Parse("<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> " + graph);
}

void ExpectOutputs(const ::onnx::ModelProto& model, const std::vector<Data>& inputs,
                   const std::vector<Data>& expected) {
  const std::vector<Data> found = OpenModel(model).Run(inputs);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].info, expected[i].info) << "output " << i;
    EXPECT_EQ(found[i].bytes, expected[i].bytes) << "output " << i;
  }
}

OpenModel::OpenModel(const std::string& graph, const ImportOptions& options,
                     const OptimizerOptions& optimizer_options)
    : OpenModel(Parse(graph), options, optimizer_options) {}

OpenModel::OpenModel(const ::onnx::ModelProto& model, const ImportOptions& options,
                     const OptimizerOptions& optimizer_options)
    : runtime_(IRuntime::Create({})) {
  ImportedModel imported = ImportModelFromMemory(model.SerializeAsString(), "test.onnx", options);
  is_open_ = imported.is_open;
  network_ = Optimize(std::move(imported.network), {"CpuRef"}, runtime_->GetDeviceSpec(),
                      optimizer_options);
  id_ = runtime_->LoadNetwork(network_);
}

Status OpenModel::Enqueue(const std::vector<Data>& inputs, const OutputTensors& outputs,
                          const RunOptions& options, std::optional<Diagnostic>& failure) {
  InputTensors given;
  for (const Data& input : inputs) {
    given.push_back(
        {static_cast<LayerBindingId>(given.size()), ConstTensor{input.info, input.bytes.data()}});
  }
  return runtime_->EnqueueWorkload(id_, given, outputs, options, &failure);
}

std::vector<Data> OpenModel::Run(const std::vector<Data>& inputs) {
  std::vector<ResultTensor> results(network_->GetOutputs().size());
  const OutputTensors outputs = WantAll(results);
  std::optional<Diagnostic> failure;
  const Status status = Enqueue(inputs, outputs, {}, failure);
  EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
  std::vector<Data> data(results.size());
  if (status != Status::kSuccess) return data;
  for (std::size_t i = 0; i < results.size(); ++i) {
    data[i].info = results[i].info;
    const auto* const begin = static_cast<const unsigned char*>(results[i].data.get());
    data[i].bytes.assign(begin, begin + results[i].info.GetSizeBytes());
  }
  return data;
}

Diagnostic OpenModel::RunError(const std::vector<Data>& inputs, const RunOptions& options) {
  std::vector<ResultTensor> results(network_->GetOutputs().size());
  const OutputTensors outputs = WantAll(results);
  std::optional<Diagnostic> failure;
  EXPECT_NE(Enqueue(inputs, outputs, options, failure), Status::kSuccess);
  if (failure) return *failure;
  ADD_FAILURE() << "nothing was told";
  return Diagnostic{DiagnosticCode{}};
}

}  // namespace backplane::onnx::test
