#include "program.hpp"

#include <algorithm>
#include <utility>

namespace example_fusing {
namespace {

using namespace backplane;

/// False when the elements of a tensor do not lie one after the other in memory of the CPU.
template <typename Pointers>
bool Resolve(RunTensorList tensors, Pointers& pointers) {
  for (std::uint32_t index = 0; index < tensors.GetCount(); ++index) {
    pointers[index] = tensors[index].GetDense<float>();
    if (pointers[index] == nullptr) return false;
  }
  return true;
}

void RunElement(const Program& program, std::size_t element, State& state) {
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    switch (instruction.operation) {
      case Operation::kLoad:
        state.results[i] = state.inputs[instruction.a][element];
        break;
      case Operation::kRelu:
        state.results[i] = std::max(state.results[instruction.a], 0.0F);
        break;
      case Operation::kAdd:
        state.results[i] = state.results[instruction.a] + state.results[instruction.b];
        break;
      case Operation::kStore:
        state.outputs[instruction.b][element] = state.results[instruction.a];
        break;
    }
  }
}

class Workload final : public IWorkload {
 public:
  Workload(std::shared_ptr<const Program> program, std::int64_t num_elements)
      : program_(std::move(program)), num_elements_(static_cast<std::size_t>(num_elements)) {}

  Status Execute(const ExecuteArgs& args) const override {
    if (args.GetNumWaitFences() != 0) return Status::kUnsupported;
    if (num_elements_ == 0) return Status::kSuccess;
    State& state = *static_cast<State*>(args.GetState());
    if (!Resolve(args.GetInputs(), state.inputs) || !Resolve(args.GetOutputs(), state.outputs)) {
      return Status::kInvalidArgument;
    }
    for (std::size_t element = 0; element < num_elements_; ++element) {
      RunElement(*program_, element, state);
    }
    return Status::kSuccess;
  }

 private:
  const std::shared_ptr<const Program> program_;
  const std::size_t num_elements_;
};

}  // namespace

void Grow(State& state, const Program& program) {
  const std::size_t size = program.instructions.size();
  if (state.results.size() >= size) return;
  state.results.resize(size);
  state.inputs.resize(size);
  state.outputs.resize(size);
}

std::unique_ptr<IWorkload> MakeWorkload(std::shared_ptr<const Program> program,
                                        std::int64_t num_elements) {
  return std::make_unique<Workload>(std::move(program), num_elements);
}

}  // namespace example_fusing
