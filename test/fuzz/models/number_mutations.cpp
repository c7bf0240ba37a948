#include "mutation_collector.hpp"

namespace backplane::fuzz {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;

void AddVersions(MutationCollector& to) {
  for (const std::int64_t number : kOddNumbers) {
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

void SetNumbers(AttributeProto& attribute, std::int64_t number) {
  attribute.set_i(number);
  for (std::int64_t& value : *attribute.mutable_ints()) value = number;
  attribute.set_f(static_cast<float>(number));
}

void AddAttributes(const GraphProto& graph, int node, MutationCollector& to) {
  for (int i = 0; i < graph.node(node).attribute_size(); ++i) {
    const std::string attribute = "attribute " + graph.node(node).attribute(i).name() + " ";
    for (const std::int64_t number : kOddNumbers) {
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

void AddInputShapes(const GraphProto& graph, MutationCollector& to) {
  for (int i = 0; i < graph.input_size(); ++i) {
    for (const std::int64_t number : kOddNumbers) {
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

}  // namespace

void AddNumberMutations(const GraphProto& graph, MutationCollector& to) {
  AddVersions(to);
  for (int node = 0; node < graph.node_size(); ++node) AddAttributes(graph, node, to);
  AddInputShapes(graph, to);
}

}  // namespace backplane::fuzz
