#include "seed_models.hpp"

#include "model_builder.hpp"

namespace backplane::fuzz {
namespace {

using ::onnx::AttributeProto;
using ::onnx::ModelProto;
using ::onnx::TensorProto;
using onnx::test::ModelBuilder;

ModelProto MakeConvolutions() {
  ModelBuilder builder(12);
  builder.Input("x", {1, 2, 6, 6}).Output("y").Output("z");
  builder.Floats("w", {2, 1, 3, 3}, std::vector<float>(18, 0.5F)).Floats("b", {2}, {1, 2});
  builder.Floats("m", {8, 3}, std::vector<float>(24, 0.25F)).Floats("c", {1, 3}, {1, 2, 3});
  builder.Int64s("shape", {0, -1});
  builder.Node("Conv", {"x", "w", "b"}, {"conv"})
      .Int("group", 2)
      .Ints("pads", {1, 1, 1, 1})
      .Ints("strides", {1, 1})
      .Ints("dilations", {1, 1})
      .Ints("kernel_shape", {3, 3});
  builder.Node("Clip", {"conv", "", ""}, {"clip"});
  builder.Node("MaxPool", {"clip"}, {"pool"})
      .Ints("kernel_shape", {3, 3})
      .Ints("strides", {3, 3})
      .Int("ceil_mode", 1)
      .String("auto_pad", "SAME_UPPER");
  builder.Node("Reshape", {"pool", "shape"}, {"flat"});
  builder.Node("Gemm", {"flat", "m", "c"}, {"y"}).Float("alpha", 0.5F).Int("transB", 0);
  builder.Node("Softmax", {"flat"}, {"soft"}).Int("axis", 1);
  builder.Node("Concat", {"soft", "flat"}, {"z"}).Int("axis", -1);
  return builder.GetProto();
}

// The shapes of its tensors are computed by the model, from constants and from shapes.
ModelProto MakeShapeArithmetic() {
  ModelBuilder builder(13);
  builder.Input("x", {2, 3, 4}).Output("y").Output("z");
  builder.Int64s("zero", {0}).Int64s("rest", {-1}).Int64s("two", {2});
  builder.Int64s("extents", {2, 2});
  builder.Node("Shape", {"x"}, {"shape"});
  builder.Node("Gather", {"shape", "zero"}, {"first"}).Int("axis", 0);
  builder.Node("Mul", {"first", "two"}, {"twice"});
  builder.Node("Concat", {"twice", "rest"}, {"target"}).Int("axis", 0);
  builder.Node("Reshape", {"x", "target"}, {"y"});
  builder.Node("ConstantOfShape", {"extents"}, {"filled"});
  builder.Node("Tile", {"filled", "extents"}, {"tiled"});
  builder.Node("Relu", {"tiled"}, {"z"});
  return builder.GetProto();
}

TensorProto MakeRaw(const std::string& name, TensorProto::DataType type, std::int64_t count,
                    const std::string& data) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.add_dims(count);
  tensor.set_raw_data(data);
  return tensor;
}

// Constants in every place where a model can have them.
ModelProto MakeConstants() {
  ModelBuilder builder(13);
  builder.Input("x", {2}).Output("y").Output("h").Output("i");
  auto& graph = *builder.GetProto().mutable_graph();
  *graph.add_initializer() = MakeRaw("raw", TensorProto::FLOAT, 2, std::string(8, '\x3F'));
  *graph.add_initializer() = MakeRaw("half", TensorProto::FLOAT16, 2, std::string(4, '\x3C'));
  *graph.add_initializer() = MakeRaw("bytes", TensorProto::INT8, 3, "abc");
  builder.Node("Constant", {}, {"node"}).Tensor("value", onnx::test::MakeFloats("", {2}, {1, 2}));
  builder.Node("Add", {"x", "raw"}, {"sum"});
  builder.Node("Mul", {"sum", "node"}, {"y"});
  builder.Node("Identity", {"half"}, {"h"});
  builder.Node("Identity", {"bytes"}, {"i"});
  graph.mutable_output(1)->mutable_type()->mutable_tensor_type()->set_elem_type(
      TensorProto::FLOAT16);
  graph.mutable_output(2)->mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::INT8);
  return builder.GetProto();
}

// With data in another file.
ModelProto MakeExternal() {
  ModelBuilder builder(13);
  builder.Input("x", {kExternalBytes / 4}).Output("y");
  auto& tensor = *builder.GetProto().mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(kExternalBytes / 4);
  tensor.set_data_location(TensorProto::EXTERNAL);
  const std::pair<const char*, const char*> entries[] = {
      {"location", "weights.bin"}, {"offset", "0"}, {"length", "64"}};
  for (const auto& [key, value] : entries) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  builder.Node("Add", {"x", "w"}, {"y"});
  return builder.GetProto();
}

// With graphs in a node, of which one is taken when the model is imported.
ModelProto MakeBranches() {
  ModelBuilder builder(13);
  builder.Input("x", {2}).Output("y");
  *builder.GetProto().mutable_graph()->add_initializer() =
      MakeRaw("choice", TensorProto::BOOL, 1, "\x01");
  builder.Node("If", {"choice"}, {"y"});
  auto& node = *builder.GetProto().mutable_graph()->mutable_node(0);
  for (const char* name : {"then_branch", "else_branch"}) {
    ModelBuilder branch(13);
    branch.Output(std::string(name) + "_y", {2});
    branch.Node(name[0] == 't' ? "Relu" : "Neg", {"x"}, {std::string(name) + "_y"});
    AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(AttributeProto::GRAPH);
    *attribute.mutable_g() = branch.GetProto().graph();
  }
  return builder.GetProto();
}

}  // namespace

std::vector<SeedModel> MakeSeedModels() {
  return {{"convolutions", MakeConvolutions()},
          {"shape_arithmetic", MakeShapeArithmetic()},
          {"constants", MakeConstants()},
          {"external", MakeExternal()},
          {"branches", MakeBranches()}};
}

}  // namespace backplane::fuzz
