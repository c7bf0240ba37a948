#pragma once

#include "operand.hpp"
#include "work.hpp"

namespace memory_mock {

class Workload final : public backplane::IWorkload {
 public:
  Workload(const backplane::WorkloadArgs& args, std::uint32_t number,
           std::shared_ptr<const Work> work)
      : work_(std::move(work)),
        is_copy_(args.layer_type == backplane::LayerType::kCopy),
        number_(number),
        inputs_(CollectOperands(args.inputs, args.input_factories, args.num_inputs)),
        outputs_(CollectOperands(args.outputs, args.output_factories, args.num_outputs)) {
    if (is_copy_ && !IsPromised()) {
      throw std::invalid_argument("this backend has not promised to copy between these tensors");
    }
  }

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    if (args.GetNumInputs() != inputs_.size() || args.GetNumOutputs() != outputs_.size()) {
      return backplane::Status::kInvalidArgument;
    }
    Tensors inputs = OpenOperands(inputs_, args.GetInputs(), backplane::MemoryAccess::kRead);
    Tensors outputs = OpenOperands(outputs_, args.GetOutputs(), backplane::MemoryAccess::kWrite);
    if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size()) {
      return backplane::Status::kInvalidArgument;
    }
    ++GetCounters().workloads_run;
    if (is_copy_) ++GetCounters().device_copies;
    if (is_copy_ && kRow.perform != nullptr && HasCue(inputs)) kRow.perform(kRow.deed);
    const auto* state = static_cast<const RunState*>(args.GetState());
    return Start([work = work_, state, inputs = std::move(inputs),
                  outputs = std::move(outputs)] { work->Run(inputs, outputs, state); },
                 args);
  }

 private:
  template <typename Job>
  backplane::Status Start(Job job, const backplane::ExecuteArgs& args) const {
    if (GetScenario().habit == Habit::kHandsOverFences) {
      if (args.GetState() == nullptr) return backplane::Status::kInvalidArgument;
      return static_cast<RunState*>(args.GetState())
          ->GetQueue()
          ->Add(number_, std::move(job), args);
    }
    if (args.GetNumWaitFences() != 0 || args.GetCompletion() != nullptr) {
      return backplane::Status::kInvalidArgument;
    }
    job();
    return backplane::Status::kSuccess;
  }

  bool HasCue(const Tensors& inputs) const {
    const Operand& from = inputs_.front();
    return from.kind != nullptr && from.info.data_type == backplane::DataType::kFloat32 &&
           inputs.front().Count() != 0 && inputs.front().Get(0) == kCue;
  }

  /// Whether the properties of the kinds say that the backend copies between them.
  bool IsPromised() const {
    const Kind* from = inputs_.front().kind;
    const Kind* to = outputs_.front().kind;
    if (from != nullptr && to != nullptr) return from->Has(kCopiesWithin) && to->Has(kCopiesWithin);
    const Kind* own = from != nullptr ? from : to;
    return own != nullptr && own->Has(kCopiesMalloc);
  }

  const std::shared_ptr<const Work> work_;
  const bool is_copy_;
  const std::uint32_t number_;  // among the workloads of the factory
  const std::vector<Operand> inputs_;
  const std::vector<Operand> outputs_;
};

}  // namespace memory_mock
