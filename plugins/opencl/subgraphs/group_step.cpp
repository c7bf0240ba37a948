#include "subgraphs/group_step.hpp"

#include "kernels/kernels.hpp"
#include "plan/divisor.hpp"
#include "pointwise/expression.hpp"
#include "pointwise/program.hpp"
#include "subgraphs/repeated_operand.hpp"

#include <map>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Writes the pointwise layers of a group one after the other, with a name for each tensor.
class StatementWriter {
 public:
  explicit StatementWriter(const Graph& graph) : graph_(graph) {}
  virtual ~StatementWriter() = default;

  void Name(TensorNumber tensor, const std::string& name) { names_[tensor] = name; }

  /// The name of the result.
  std::string Write(LayerNumber number) {
    const GraphLayer& in_graph = graph_.layers[number];
    PlannedLayer layer;
    static_cast<Layer&>(layer) = graph_.GetLayer(number);
    layer.constants = in_graph.view->constants;
    std::vector<std::string> operands;
    for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
      operands.push_back(GetName(in_graph.inputs[i], GetOperandShape(layer, i)));
    }
    const std::string result = Text("y", num_results_++);
    statements_ += WriteLayer(layer, operands, result);
    Name(in_graph.outputs[0], result);
    return result;
  }

 protected:
  /// Makes the element of a tensor from outside known; gives its name.
  virtual std::string AddOperand(TensorNumber tensor, const TensorShape& shape) = 0;

  const Graph& graph_;
  std::string statements_;

 private:
  std::string GetName(TensorNumber tensor, const TensorShape& shape) {
    const auto named = names_.find(tensor);
    if (named != names_.end()) return named->second;
    // One tensor may broadcast in two ways, as it is and as entries for channels.
    for (const Operand& operand : operands_) {
      if (operand.tensor == tensor && operand.shape == shape) return operand.name;
    }
    operands_.push_back({tensor, shape, AddOperand(tensor, shape)});
    return operands_.back().name;
  }

  struct Operand {
    TensorNumber tensor;
    TensorShape shape;
    std::string name;
  };

  std::map<TensorNumber, std::string> names_;
  std::vector<Operand> operands_;
  std::uint32_t num_results_ = 0;
};

/// A group that is a program of its own.
class PointwiseWriter : public StatementWriter {
 public:
  PointwiseWriter(const Graph& graph, GroupStep& step) : StatementWriter(graph), step_(step) {}

  Pointwise Make(const LayerGroup& group) {
    for (const LayerNumber number : group.layers) pointwise_.result = Write(number);
    const Layer last = graph_.GetLayer(group.layers.back());
    pointwise_.statements = statements_;
    pointwise_.output_element = GetStoredElement(last.Output().data_type);
    pointwise_.output = last.Output().shape;
    return std::move(pointwise_);
  }

 private:
  std::string AddOperand(TensorNumber tensor, const TensorShape& shape) override {
    const auto number = static_cast<std::uint32_t>(step_.inputs.size());
    const DataType type = graph_.tensors[tensor].info->data_type;
    pointwise_.operands.push_back({number, GetStoredElement(type), shape});
    step_.inputs.push_back(tensor);
    return Text("x", number);
  }

  GroupStep& step_;
  Pointwise pointwise_;
};

/// What follows the first layer of a group.
class EpilogueWriter : public StatementWriter {
 public:
  EpilogueWriter(const Graph& graph, GroupStep& step) : StatementWriter(graph), step_(step) {}

  Epilogue Make(const LayerGroup& group) {
    const TensorNumber head = graph_.layers[group.layers[0]].outputs[0];
    output_ = graph_.tensors[head].info->shape;
    Name(head, "value");
    std::string result;
    for (std::size_t i = 1; i < group.layers.size(); ++i) result = Write(group.layers[i]);
    if (!result.empty()) epilogue_.statements = Text(statements_, "value = ", result, ";\n");
    return std::move(epilogue_);
  }

 private:
  std::string AddOperand(TensorNumber tensor, const TensorShape& shape) override {
    const std::string name = Text("operand", epilogue_.operands.size());
    epilogue_.operands.push_back({name, static_cast<std::uint32_t>(step_.inputs.size()),
                                  graph_.tensors[tensor].info->data_type});
    step_.inputs.push_back(tensor);
    const std::string at = WritePosition(name, *FindRepetition(shape, output_));
    statements_ +=
        Text("const float ", name, "_x = LOAD(", name, ", ", name, "_begin + ", at, ");\n");
    return name + "_x";
  }

  std::string WritePosition(const std::string& name, const Repetition& repetition) {
    if (repetition.modulus == 1) return "0";
    std::string position = "(int)at";
    if (repetition.divisor != 1)
      position = WriteQuotient(position, name + "_d", repetition.divisor);
    if (!repetition.is_repeated) return position;
    const std::string rest = name + "_rest";
    statements_ += Text("const int ", rest, " = ", position, ";\n");
    AddNumber(name + "_modulus", static_cast<std::int32_t>(repetition.modulus));
    return Text(rest, " - ", WriteQuotient(rest, name + "_m", repetition.modulus), " * ", name,
                "_modulus");
  }

  std::string WriteQuotient(const std::string& position, const std::string& name,
                            std::int64_t extent) {
    const Divisor divisor = MakeDivisor(extent);
    AddNumber(name + "_magic", divisor.magic);
    AddNumber(name + "_shift", divisor.shift);
    return Text("(int)((ulong)(", position, ") * (uint)", name, "_magic >> ", name, "_shift)");
  }

  void AddNumber(const std::string& name, std::int32_t value) {
    epilogue_.numbers.push_back({name, value});
  }

  GroupStep& step_;
  Epilogue epilogue_;
  TensorShape output_;
};

KernelPlan PlanHead(const Graph& graph, const LayerGroup& group, const DeviceLimits& limits,
                    SharedContents* contents, GroupStep& step) {
  const LayerNumber head = group.layers[0];
  PlannedLayer layer;
  static_cast<Layer&>(layer) = graph.GetLayer(head);
  step.inputs = graph.layers[head].inputs;
  std::vector<std::uint8_t> is_constant;
  for (const TensorNumber tensor : step.inputs) {
    is_constant.push_back(graph.tensors[tensor].constant != nullptr ? 1 : 0);
  }
  layer.is_constant = is_constant.data();
  layer.constants = graph.layers[head].view->constants;
  layer.contents = contents;
  layer.epilogue = EpilogueWriter(graph, step).Make(group);
  return Plan(layer, limits);
}

}  // namespace

GroupStep MakeGroupStep(const Graph& graph, const LayerGroup& group, const DeviceLimits& limits,
                        SharedContents* contents) {
  GroupStep step;
  step.name = graph.layers[group.layers[0]].view->name;
  if (group.layers.size() > 1) step.name += Text(" and ", group.layers.size() - 1, " behind it");
  step.outputs = graph.layers[group.layers.back()].outputs;
  if (group.is_pointwise) {
    step.plan = MakePointwisePlan(PointwiseWriter(graph, step).Make(group), limits);
  } else {
    step.plan = PlanHead(graph, group, limits, contents, step);
  }
  return step;
}

}  // namespace opencl
}  // namespace backplane
