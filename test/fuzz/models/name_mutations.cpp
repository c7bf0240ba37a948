#include "mutation_collector.hpp"

namespace backplane::fuzz {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

// Names that nobody has, that several have, and that run in circles.
void AddGraphNames(const GraphProto& graph, MutationCollector& to) {
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

void AddNodeNames(const GraphProto& graph, int node, MutationCollector& to) {
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
    if (graph.node(node).output_size() == 0) continue;
    const std::string output = graph.node(node).output(0);
    to.AddToNode(node, input + " from itself",
                 [=](NodeProto& changed) { changed.set_input(i, output); });
  }
}

// Many nodes one after the other, and graphs in graphs.
void AddDepth(const GraphProto& graph, MutationCollector& to) {
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

void AddNameMutations(const GraphProto& graph, MutationCollector& to) {
  AddGraphNames(graph, to);
  for (int node = 0; node < graph.node_size(); ++node) AddNodeNames(graph, node, to);
  AddDepth(graph, to);
}

}  // namespace backplane::fuzz
