#include "functions/flatten_functions.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "functions/local_functions.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace backplane::onnx {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;
using GivenAttributes = std::map<std::string, const ::onnx::AttributeProto*>;

// Functions that call functions multiply: a small file could ask for any number of nodes.
constexpr std::size_t kMaxNodes = 1U << 20U;
constexpr std::size_t kMaxFlattenedBytes = std::size_t{256} << 20U;

struct TooLarge {};

/// What all calls take together.
struct Taken {
  void Take(std::size_t nodes, std::size_t bytes) {
    num_nodes += nodes;
    num_bytes += bytes;
    if (num_nodes > kMaxNodes || num_bytes > kMaxFlattenedBytes) throw TooLarge{};
  }

  std::size_t num_nodes = 0;
  std::size_t num_bytes = 0;
  std::unordered_set<std::string> names;  // of tensors
};

template <typename Function>
void ForEachNameMade(const ::onnx::GraphProto& graph, Function&& function) {
  for (const auto& input : graph.input()) function(input.name());
  for (const auto& tensor : graph.initializer()) function(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) function(sparse.values().name());
  for (const auto& node : graph.node()) {
    for (const std::string& output : node.output()) function(output);
  }
}

void CollectNamesMade(const ::onnx::GraphProto& graph, std::unordered_set<std::string>& names) {
  ForEachNameMade(graph, [&](const std::string& name) { names.insert(name); });
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) CollectNamesMade(attribute.g(), names);
  }
}

/// The names that the tensors of a function have in one call of it, or of a graph within.
class CallNames {
 public:
  CallNames(std::string prefix, Taken& taken, CallNames* outer = nullptr)
      : prefix_(std::move(prefix)), taken_(taken), outer_(outer) {}

  void Set(const std::string& name, const std::string& in_call) { names_[name] = in_call; }
  bool Has(const std::string& name) const {
    return names_.count(name) > 0 || (outer_ != nullptr && outer_->Has(name));
  }

  /// One that has no name in the call yet gets a new one, for the whole function.
  const std::string& Get(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end() && outer_ != nullptr) return outer_->Get(name);
    const std::string& in_call = found != names_.end() ? found->second : SetNew(name);
    taken_.Take(0, in_call.size());
    return in_call;
  }

  const std::string& SetNew(const std::string& name) {
    std::string in_call = prefix_ + name;
    for (std::size_t number = taken_.names.size(); !taken_.names.insert(in_call).second; ++number) {
      in_call = prefix_ + name + "_" + std::to_string(number);
    }
    return names_[name] = std::move(in_call);
  }

  /// The names of a graph within. What it makes hides what has the same name around it.
  CallNames MakeInner(const ::onnx::GraphProto& graph) {
    CallNames inner(prefix_, taken_, this);
    ForEachNameMade(graph, [&](const std::string& name) {
      if (!name.empty() && Has(name)) inner.SetNew(name);
    });
    return inner;
  }

 private:
  const std::string prefix_;
  Taken& taken_;
  CallNames* const outer_;
  std::unordered_map<std::string, std::string> names_;
};

class Flattening {
 public:
  Flattening(::onnx::ModelProto& model, const std::string& path, NodeVersions& versions)
      : model_(model), path_(path), versions_(versions), functions_(model) {
    CollectNamesMade(model.graph(), taken_.names);
    for (auto& function : *model.mutable_functions()) TakeConstants(function);
  }

  /// `opsets`, of the function that the nodes are from; null: they are of the model.
  void Flatten(Nodes& nodes, const Opsets* opsets, std::uint32_t depth) {
    Nodes own;
    own.Swap(&nodes);
    for (int index = 0; index < own.size(); ++index) {
      own[index].set_name(NameNode(own[index], static_cast<std::size_t>(index)));
      Add(own[index], opsets, depth, nodes);
    }
  }

 private:
  void Add(::onnx::NodeProto& node, const Opsets* opsets, std::uint32_t depth, Nodes& nodes) {
    if (depth > kMaxDepth) RefuseSize(node);
    if (const LocalFunction* const function = functions_.Find(node)) {
      try {
        return Expand(node, *function, depth, nodes);
      } catch (const TooLarge&) {
        RefuseSize(node);
      }
    }
    ::onnx::NodeProto& own = *nodes.Add();
    own.Swap(&node);
    if (opsets != nullptr) {
      const std::int64_t version = FindVersion(own, *opsets);
      if (version != FindVersion(own, versions_.opsets)) versions_.of_nodes[&own] = version;
    }
    for (auto& attribute : *own.mutable_attribute()) {
      if (attribute.has_g()) Flatten(*attribute.mutable_g()->mutable_node(), opsets, depth + 1);
    }
  }

  void Expand(const ::onnx::NodeProto& call, const LocalFunction& local, std::uint32_t depth,
              Nodes& nodes) {
    const ::onnx::FunctionProto& function = *local.proto;
    CheckCall(call, function);
    taken_.Take(static_cast<std::size_t>(function.input_size() + function.opset_import_size()), 0);
    GivenAttributes attributes;
    for (const auto& attribute : call.attribute()) attributes[attribute.name()] = &attribute;
    for (const auto& attribute : local.defaults) attributes.emplace(attribute.name(), &attribute);
    const std::string prefix = call.name() + "/";
    CallNames names(prefix, taken_);
    NameBindings(call, function, names);
    const Opsets opsets = ReadOpsets(function.opset_import());
    around_.push_back(&function);
    for (int index = 0; index < function.node_size(); ++index) {
      const ::onnx::NodeProto& proto = function.node(index);
      taken_.Take(1, proto.SpaceUsedLong() + prefix.size());
      ::onnx::NodeProto node = proto;
      node.set_name(prefix + NameNode(proto, static_cast<std::size_t>(index)));
      Resolve(node, attributes, names);
      const auto initializer = initializers_.find(&proto);
      if (initializer != initializers_.end()) {
        node.clear_attribute();
        node.set_op_type("Identity");
        node.add_input(initializer->second);
      }
      Add(node, &opsets, depth + 1, nodes);
    }
    around_.pop_back();
    AddForwards(call, function, names, nodes);
  }

  void CheckCall(const ::onnx::NodeProto& call, const ::onnx::FunctionProto& function) const {
    if (call.output_size() > function.output_size()) {
      Refuse(call, "it has " + std::to_string(call.output_size()) +
                       " outputs; the function gives " + std::to_string(function.output_size()));
    }
    if (std::find(around_.begin(), around_.end(), &function) != around_.end()) {
      Refuse(call, "it lies within the function " + function.name() +
                       ", which it calls; no function may call itself");
    }
    if (const ::onnx::NodeProto* const twin = FindTwin(function.node())) {
      Refuse(call, "two nodes of the function " + function.name() + " are called " + twin->name() +
                       "; each needs a name of its own");
    }
  }

  // What a call gives and takes has the names that it has there; an input that it lacks has none.
  static void NameBindings(const ::onnx::NodeProto& call, const ::onnx::FunctionProto& function,
                           CallNames& names) {
    names.Set("", "");
    for (int index = 0; index < function.input_size(); ++index) {
      names.Set(function.input(index), index < call.input_size() ? call.input(index) : "");
    }
    for (int index = 0; index < call.output_size(); ++index) {
      const std::string& name = function.output(index);
      if (!call.output(index).empty() && !names.Has(name)) names.Set(name, call.output(index));
    }
  }

  // For outputs that the function gives twice, or that are inputs of it.
  static void AddForwards(const ::onnx::NodeProto& call, const ::onnx::FunctionProto& function,
                          CallNames& names, Nodes& nodes) {
    for (int index = 0; index < call.output_size(); ++index) {
      const std::string& name = names.Get(function.output(index));
      if (call.output(index).empty() || name == call.output(index)) continue;
      ::onnx::NodeProto& node = *nodes.Add();
      node.set_op_type("Identity");
      node.set_name(call.name() + "/" + function.output(index));
      node.add_input(name);
      node.add_output(call.output(index));
    }
  }

  // Gives a node, and the graphs within it, the names and attributes of a call.
  void Resolve(::onnx::NodeProto& node, const GivenAttributes& attributes, CallNames& names) {
    for (std::string& name : *node.mutable_input()) name = names.Get(name);
    for (int index = node.attribute_size(); index-- > 0;) {
      ::onnx::AttributeProto& attribute = *node.mutable_attribute(index);
      if (attribute.has_g()) Resolve(*attribute.mutable_g(), attributes, names);
      if (attribute.ref_attr_name().empty()) continue;
      const auto given = attributes.find(attribute.ref_attr_name());
      if (given == attributes.end()) {
        node.mutable_attribute()->DeleteSubrange(index, 1);
        continue;
      }
      taken_.Take(0, given->second->SpaceUsedLong());
      const std::string name = attribute.name();
      attribute = *given->second;
      attribute.set_name(name);
    }
    for (std::string& name : *node.mutable_output()) name = names.Get(name);
  }

  void Resolve(::onnx::GraphProto& graph, const GivenAttributes& attributes, CallNames& names) {
    CallNames inner = names.MakeInner(graph);
    for (auto& input : *graph.mutable_input()) input.set_name(inner.Get(input.name()));
    for (auto& tensor : *graph.mutable_initializer()) tensor.set_name(inner.Get(tensor.name()));
    for (auto& sparse : *graph.mutable_sparse_initializer()) {
      sparse.mutable_values()->set_name(inner.Get(sparse.values().name()));
    }
    for (auto& node : *graph.mutable_node()) Resolve(node, attributes, inner);
    for (auto& output : *graph.mutable_output()) output.set_name(inner.Get(output.name()));
  }

  // Calls share a large constant: it becomes an initializer of the model.
  void TakeConstants(::onnx::FunctionProto& function) {
    constexpr std::size_t kLeastBytes = 1024;
    CallNames names("", taken_);
    for (auto& node : *function.mutable_node()) {
      const bool is_large = node.op_type() == "Constant" &&
                            NormaliseDomain(node.domain()).empty() && node.output_size() == 1 &&
                            node.attribute_size() == 1 &&
                            node.attribute(0).t().raw_data().size() >= kLeastBytes;
      if (!is_large) continue;
      ::onnx::TensorProto& initializer = *model_.mutable_graph()->add_initializer();
      initializer.Swap(node.mutable_attribute(0)->mutable_t());
      initializer.set_name(names.SetNew(node.output(0)));
      initializers_[&node] = initializer.name();
    }
  }

  [[noreturn]] void RefuseSize(const ::onnx::NodeProto& node) const {
    Refuse(node, "the functions of the model amount to more than " + std::to_string(kMaxNodes) +
                     " nodes and inputs or " + std::to_string(kMaxFlattenedBytes) +
                     " bytes where they are called, or lie more than " + std::to_string(kMaxDepth) +
                     " deep in each other");
  }

  [[noreturn]] void Refuse(const ::onnx::NodeProto& node, const std::string& why) const {
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path_},
               path_ + " cannot be imported", "a function of it cannot be put in place of its call",
               "see what follows",
               {MakeError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, node.name()},
                          "node " + node.name() + " (" + node.op_type() + ") cannot be imported",
                          why, "correct the model and export it again")});
  }

  ::onnx::ModelProto& model_;
  const std::string& path_;
  NodeVersions& versions_;
  const LocalFunctions functions_;
  Taken taken_;
  std::vector<const ::onnx::FunctionProto*> around_;  // that are being put in place
  std::unordered_map<const ::onnx::NodeProto*, std::string> initializers_;  // by the constant
};

}  // namespace

std::shared_ptr<const NodeVersions> FlattenFunctions(::onnx::ModelProto& model, Opsets opsets,
                                                     const std::string& path) {
  auto versions = std::make_shared<NodeVersions>();
  versions->opsets = std::move(opsets);
  if (model.functions_size() == 0) return versions;
  Flattening(model, path, *versions).Flatten(*model.mutable_graph()->mutable_node(), nullptr, 0);
  return versions;
}

}  // namespace backplane::onnx
