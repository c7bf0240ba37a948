#include "model_mutations.hpp"

#include <cstdint>
#include <limits>
#include <utility>

namespace backplane::fuzz {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNumbers[] = {kLeast,
                                     -1,
                                     0,
                                     1,
                                     7,
                                     std::int64_t{1} << 29,
                                     std::int64_t{1} << 32,
                                     std::int64_t{1} << 40,
                                     std::int64_t{1} << 62,
                                     kMost};

/// Collects mutations under names that say where they are.
class Collector {
 public:
  template <typename Apply>
  void Add(const std::string& name, Apply apply) {
    mutations_.push_back({name, std::move(apply)});
  }
  template <typename Apply>
  void AddToGraph(const std::string& name, Apply apply) {
    Add(name, [apply](ModelProto& model) { apply(*model.mutable_graph()); });
  }
  template <typename Apply>
  void AddToNode(int node, const std::string& name, Apply apply) {
    AddToGraph("node " + std::to_string(node) + ": " + name,
               [=](GraphProto& graph) { apply(*graph.mutable_node(node)); });
  }
  template <typename Apply>
  void AddToInitializer(int tensor, const std::string& name, Apply apply) {
    AddToGraph("initializer " + std::to_string(tensor) + ": " + name,
               [=](GraphProto& graph) { apply(*graph.mutable_initializer(tensor)); });
  }

  std::vector<ModelMutation> Take() { return std::move(mutations_); }

 private:
  std::vector<ModelMutation> mutations_;
};

void AddVersions(Collector& to) {
  for (const std::int64_t number : kNumbers) {
    const std::string text = std::to_string(number);
    to.Add("IR version " + text, [=](ModelProto& model) { model.set_ir_version(number); });
    to.Add("opset " + text,
           [=](ModelProto& model) { model.mutable_opset_import(0)->set_version(number); });
  }
  to.Add("no opset", [](ModelProto& model) { model.clear_opset_import(); });
  to.Add("opset twice", [](ModelProto& model) {
    model.add_opset_import()->set_version(7);
    model.add_opset_import()->set_version(9);
  });
}

// Names that nobody has, that several have, and that run in circles.
void AddNames(const GraphProto& graph, Collector& to) {
  const int last = graph.node_size() - 1;
  to.AddToGraph("a cycle through all nodes", [=](GraphProto& changed) {
    changed.mutable_node(0)->clear_input();
    changed.mutable_node(0)->add_input(changed.node(last).output(0));
  });
  to.AddToGraph("nodes in reverse order", [](GraphProto& changed) {
    for (int i = 0; i < changed.node_size() / 2; ++i) {
      changed.mutable_node()->SwapElements(i, changed.node_size() - 1 - i);
    }
  });
  to.AddToGraph("no nodes", [](GraphProto& changed) { changed.clear_node(); });
  to.AddToGraph("no inputs", [](GraphProto& changed) { changed.clear_input(); });
  to.AddToGraph("no outputs", [](GraphProto& changed) { changed.clear_output(); });
  to.AddToGraph("an input twice",
                [](GraphProto& changed) { *changed.add_input() = changed.input(0); });
  to.AddToGraph("an output twice",
                [](GraphProto& changed) { *changed.add_output() = changed.output(0); });
  to.AddToGraph("an input that is an output", [](GraphProto& changed) {
    changed.mutable_output(0)->set_name(changed.input(0).name());
  });
  for (const std::string& name : {std::string(), std::string("nowhere"), std::string("\0\n\xFF", 3),
                                  std::string(1U << 20U, 'n')}) {
    const std::string text = name.size() > 20 ? "a long name" : "\"" + name + "\"";
    to.AddToGraph("output " + text,
                  [=](GraphProto& changed) { changed.mutable_output(0)->set_name(name); });
    to.AddToGraph("input " + text,
                  [=](GraphProto& changed) { changed.mutable_input(0)->set_name(name); });
  }
}

void AddNodeNames(const GraphProto& graph, int node, Collector& to) {
  to.AddToGraph("node " + std::to_string(node) + " twice",
                [=](GraphProto& changed) { *changed.add_node() = changed.node(node); });
  for (const char* type : {"", "Nothing", "If", "Loop", "Scan", "ConstantOfShape", "Range", "Tile",
                           "Expand", "Pad", "Resize", "OneHot", "EyeLike", "Einsum", "LSTM"}) {
    to.AddToNode(node, std::string("operator ") + type,
                 [=](NodeProto& changed) { changed.set_op_type(type); });
  }
  to.AddToNode(node, "another domain", [](NodeProto& changed) { changed.set_domain("x.y"); });
  to.AddToNode(node, "no inputs", [](NodeProto& changed) { changed.clear_input(); });
  to.AddToNode(node, "no outputs", [](NodeProto& changed) { changed.clear_output(); });
  to.AddToNode(node, "many inputs", [](NodeProto& changed) {
    const std::string name = changed.input_size() > 0 ? changed.input(0) : "x";
    for (int i = 0; i < 5000; ++i) changed.add_input(name);
  });
  to.AddToNode(node, "many outputs", [](NodeProto& changed) {
    for (int i = 0; i < 5000; ++i) changed.add_output("more" + std::to_string(i));
  });
  for (int i = 0; i < graph.node(node).input_size(); ++i) {
    const std::string input = "input " + std::to_string(i);
    to.AddToNode(node, input + " from nowhere",
                 [=](NodeProto& changed) { changed.set_input(i, "nowhere"); });
    to.AddToNode(node, input + " left out", [=](NodeProto& changed) { changed.set_input(i, ""); });
    const std::string output = graph.node(node).output(0);
    to.AddToNode(node, input + " from itself",
                 [=](NodeProto& changed) { changed.set_input(i, output); });
  }
}

void SetNumbers(AttributeProto& attribute, std::int64_t number) {
  attribute.set_i(number);
  for (std::int64_t& value : *attribute.mutable_ints()) value = number;
  attribute.set_f(static_cast<float>(number));
}

void AddAttributes(const GraphProto& graph, int node, Collector& to) {
  for (int i = 0; i < graph.node(node).attribute_size(); ++i) {
    const std::string attribute = "attribute " + graph.node(node).attribute(i).name() + " ";
    for (const std::int64_t number : kNumbers) {
      to.AddToNode(node, attribute + std::to_string(number),
                   [=](NodeProto& changed) { SetNumbers(*changed.mutable_attribute(i), number); });
    }
    to.AddToNode(node, attribute + "without numbers",
                 [=](NodeProto& changed) { changed.mutable_attribute(i)->clear_ints(); });
    to.AddToNode(node, attribute + "with many numbers", [=](NodeProto& changed) {
      for (int n = 0; n < 100000; ++n) changed.mutable_attribute(i)->add_ints(1);
    });
    to.AddToNode(node, attribute + "twice",
                 [=](NodeProto& changed) { *changed.add_attribute() = changed.attribute(i); });
    to.AddToNode(node, attribute + "misnamed",
                 [=](NodeProto& changed) { changed.mutable_attribute(i)->set_name("misnamed"); });
    for (int type = 0; type <= 14; ++type) {
      to.AddToNode(node, attribute + "of type " + std::to_string(type), [=](NodeProto& changed) {
        changed.mutable_attribute(i)->set_type(static_cast<AttributeProto::AttributeType>(type));
      });
    }
  }
}

void AddDims(int tensor, Collector& to) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {},
      {-1},
      {kMost},
      {kLeast},
      {std::int64_t{1} << 32, std::int64_t{1} << 32},
      {std::int64_t{1} << 31, std::int64_t{1} << 31, 4},
      {0, kMost, kMost},
      {std::int64_t{1} << 29},  // 2 GiB of floats
      std::vector<std::int64_t>(9, 1),
      std::vector<std::int64_t>(100000, 1)};
  for (const std::vector<std::int64_t>& dims : shapes) {
    std::string text = "dims";
    for (std::size_t i = 0; i < dims.size() && i < 4; ++i) text += " " + std::to_string(dims[i]);
    to.AddToInitializer(tensor, text, [=](TensorProto& changed) {
      changed.clear_dims();
      for (const std::int64_t dim : dims) changed.add_dims(dim);
    });
  }
}

void AddInitializers(const GraphProto& graph, Collector& to) {
  for (int tensor = 0; tensor < graph.initializer_size(); ++tensor) {
    AddDims(tensor, to);
    for (int type = -1; type <= 20; ++type) {
      to.AddToInitializer(tensor, "data type " + std::to_string(type),
                          [=](TensorProto& changed) { changed.set_data_type(type); });
    }
    for (const std::int64_t number : kNumbers) {
      to.AddToInitializer(tensor, "values " + std::to_string(number), [=](TensorProto& changed) {
        for (std::int64_t& value : *changed.mutable_int64_data()) value = number;
      });
    }
    to.AddToInitializer(tensor, "without data", [](TensorProto& changed) {
      changed.clear_float_data();
      changed.clear_int64_data();
      changed.clear_raw_data();
    });
    to.AddToInitializer(tensor, "data twice",
                        [](TensorProto& changed) { changed.set_raw_data("1234"); });
    to.AddToInitializer(tensor, "a segment", [](TensorProto& changed) {
      changed.mutable_segment()->set_begin(kLeast);
      changed.mutable_segment()->set_end(kMost);
    });
    to.AddToGraph("initializer " + std::to_string(tensor) + " twice", [=](GraphProto& changed) {
      *changed.add_initializer() = changed.initializer(tensor);
    });
  }
}

void SetEntry(TensorProto& tensor, const std::string& key, const std::string& value) {
  tensor.set_data_location(TensorProto::EXTERNAL);
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_int64_data();
  for (auto& entry : *tensor.mutable_external_data()) {
    if (entry.key() == key) return entry.set_value(value);
  }
  auto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

// Data in files that are not the model's own, or not files, or too short.
void AddExternalData(const GraphProto& graph, Collector& to) {
  if (graph.initializer_size() == 0) return;
  for (const char* location :
       {"", ".", "..", "/", "/etc/passwd", "../secret.bin", "a/../../secret.bin", "link.bin",
        "/dev/zero", "pipe.bin", "no.bin", "folder", "weights.bin/", "./weights.bin"}) {
    to.AddToInitializer(0, std::string("data in \"") + location + "\"",
                        [=](TensorProto& tensor) { SetEntry(tensor, "location", location); });
  }
  for (const char* key : {"offset", "length", "checksum", "other"}) {
    for (const char* value : {"", "-1", "x", "63", "65", "4294967296", "9223372036854775807",
                              "18446744073709551615", "99999999999999999999999"}) {
      to.AddToInitializer(0, std::string(key) + " " + value, [=](TensorProto& tensor) {
        SetEntry(tensor, "location", "weights.bin");
        SetEntry(tensor, key, value);
      });
    }
  }
}

void AddInputShapes(const GraphProto& graph, Collector& to) {
  for (int i = 0; i < graph.input_size(); ++i) {
    for (const std::int64_t number : kNumbers) {
      to.AddToGraph(
          "all extents of input " + std::to_string(i) + " " + std::to_string(number),
          [=](GraphProto& changed) {
            auto& type = *changed.mutable_input(i)->mutable_type();
            for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
              dim.set_dim_value(number);
            }
          });
    }
    to.AddToGraph("no type of input " + std::to_string(i),
                  [=](GraphProto& changed) { changed.mutable_input(i)->clear_type(); });
    to.AddToGraph("no shape of input " + std::to_string(i), [=](GraphProto& changed) {
      changed.mutable_input(i)->mutable_type()->mutable_tensor_type()->clear_shape();
    });
    to.AddToGraph("sequences for input " + std::to_string(i), [=](GraphProto& changed) {
      changed.mutable_input(i)->mutable_type()->mutable_sequence_type();
    });
  }
}

// Many nodes one after the other, and graphs in graphs.
void AddDepth(const GraphProto& graph, Collector& to) {
  const std::string begin = graph.input(0).name();
  to.AddToGraph("a long chain", [=](GraphProto& changed) {
    constexpr int kLength = 20000;
    for (int i = 0; i < kLength; ++i) {
      NodeProto& node = *changed.add_node();
      node.set_op_type("Relu");
      node.add_input(i == 0 ? begin : "chain" + std::to_string(i - 1));
      node.add_output("chain" + std::to_string(i));
    }
  });
  to.AddToGraph("graphs in graphs", [](GraphProto& changed) {
    GraphProto inner = changed;
    for (int depth = 0; depth < 30; ++depth) {
      GraphProto outer;
      NodeProto& node = *outer.add_node();
      node.set_op_type("If");
      node.add_input("choice");
      node.add_output("y");
      for (const char* name : {"then_branch", "else_branch"}) {
        AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(AttributeProto::GRAPH);
        if (name[0] == 't') *attribute.mutable_g() = inner;
      }
      *outer.add_output() = changed.output(0);
      inner = outer;
    }
    *changed.add_node() = inner.node(0);
  });
}

}  // namespace

std::vector<ModelMutation> MakeMutations(const ModelProto& model) {
  Collector to;
  const GraphProto& graph = model.graph();
  AddVersions(to);
  AddNames(graph, to);
  for (int node = 0; node < graph.node_size(); ++node) {
    AddNodeNames(graph, node, to);
    AddAttributes(graph, node, to);
  }
  AddInitializers(graph, to);
  AddExternalData(graph, to);
  AddInputShapes(graph, to);
  AddDepth(graph, to);
  return to.Take();
}

}  // namespace backplane::fuzz
