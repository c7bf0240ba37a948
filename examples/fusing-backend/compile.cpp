#include "compile.hpp"

#include <map>
#include <utility>

namespace example_fusing {
namespace {

using namespace backplane;

Operation GetOperation(LayerType type) {
  return type == LayerType::kActivation ? Operation::kRelu : Operation::kAdd;
}

class Compiler {
 public:
  explicit Compiler(const OptimizeSubgraphArgs& args) : args_(args) {}

  /// False: not compiled.
  bool Run() {
    for (const LayerId id : args_.subgraph->layers) {
      const LayerView* layer = nullptr;
      if (args_.reader->GetLayer(id, &layer) != Status::kSuccess || !Add(*layer)) return false;
    }
    const std::vector<OutputSlot>& outputs = args_.subgraph->outputs;
    for (std::uint32_t index = 0; index < outputs.size(); ++index) {
      Emit({Operation::kStore, Find(outputs[index]), index});
    }
    return true;
  }

  Compiled Take() { return {std::move(program_), std::move(inputs_)}; }

 private:
  bool Add(const LayerView& layer) {
    const TensorShape& shape = layer.output_infos[0]->shape;
    if (shape_ == nullptr) shape_ = &shape;
    if (shape != *shape_) return false;
    const std::uint32_t a = Find(layer.inputs[0]);
    const std::uint32_t b = Find(layer.inputs[layer.num_inputs - 1]);
    results_[{layer.id, 0}] = Emit({GetOperation(layer.layer_type), a, b});
    return true;
  }

  /// The number of the result that is this tensor; one from outside is loaded first.
  std::uint32_t Find(OutputSlot slot) {
    const auto found = results_.find({slot.layer, slot.index});
    if (found != results_.end()) return found->second;
    const auto input = static_cast<std::uint32_t>(inputs_.size());
    inputs_.push_back(slot);
    return results_[{slot.layer, slot.index}] = Emit({Operation::kLoad, input, 0});
  }

  std::uint32_t Emit(const Instruction& instruction) {
    program_->instructions.push_back(instruction);
    return static_cast<std::uint32_t>(program_->instructions.size() - 1);
  }

  const OptimizeSubgraphArgs& args_;
  std::shared_ptr<Program> program_ = std::make_shared<Program>();
  std::vector<OutputSlot> inputs_;
  std::map<std::pair<LayerId, std::uint32_t>, std::uint32_t> results_;
  const TensorShape* shape_ = nullptr;
};

}  // namespace

std::optional<Compiled> Compile(const OptimizeSubgraphArgs& args) {
  Compiler compiler(args);
  if (!compiler.Run()) return std::nullopt;
  return compiler.Take();
}

std::shared_ptr<const Program> CompileLayer(const WorkloadArgs& args) {
  auto program = std::make_shared<Program>();
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    program->instructions.push_back({Operation::kLoad, index, 0});
  }
  program->instructions.push_back({GetOperation(args.layer_type), 0, args.num_inputs - 1});
  program->instructions.push_back({Operation::kStore, args.num_inputs, 0});
  return program;
}

}  // namespace example_fusing
