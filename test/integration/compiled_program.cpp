#include "compiled_program.hpp"

#include <backplane/api/c_values.hpp>

#include <cstring>

namespace backplane {
namespace {

// A dense tensor in memory of its own, or in that of a constant.
class DenseTensor {
 public:
  DenseTensor(const TensorInfo& info, const void* content) {
    view_.source = MemorySource::kMalloc;
    view_.size_bytes = info.GetSizeBytes();
    view_.data_type = info.data_type;
    view_.rank = info.shape.rank;
    std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
    for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
      view_.dims[axis] = info.shape[axis];
      view_.strides_bytes[axis] = stride;
      stride *= info.shape[axis];
    }
    if (content == nullptr) memory_.resize(view_.size_bytes / sizeof(std::uint64_t) + 1);
    view_.data = content == nullptr ? memory_.data() : const_cast<void*>(content);
    shown_ = c_form::ToC(view_);
  }
  DenseTensor(const DenseTensor&) = delete;
  DenseTensor& operator=(const DenseTensor&) = delete;

  bp_tensor Get() const { return {&shown_, nullptr, 0}; }

 private:
  std::vector<std::uint64_t> memory_;
  MemoryView view_;
  bp_view shown_;
};

class ProgramWorkload final : public IWorkload {
 public:
  ProgramWorkload(std::shared_ptr<const CompiledProgram> program, IWorkloadFactory& factory)
      : program_(std::move(program)) {
    for (const CompiledProgram::Step& step : program_->GetSteps()) {
      workloads_.push_back(MakeWorkload(step, factory));
    }
  }

  Status Execute(const ExecuteArgs& args) const override {
    std::deque<DenseTensor> own;
    std::vector<bp_tensor> tensors;
    for (const CompiledProgram::Tensor& tensor : program_->GetTensors()) {
      own.emplace_back(tensor.info, tensor.is_constant ? tensor.content.data() : nullptr);
      tensors.push_back(own.back().Get());
    }
    Replace(program_->GetInputs(), args.Get().inputs, tensors);
    Replace(program_->GetOutputs(), args.Get().outputs, tensors);
    for (std::size_t i = 0; i < workloads_.size(); ++i) {
      const CompiledProgram::Step& step = program_->GetSteps()[i];
      const std::vector<bp_tensor> inputs = Collect(step.inputs, tensors);
      const std::vector<bp_tensor> outputs = Collect(step.outputs, tensors);
      auto inner = c_form::Make<bp_run_args>();
      inner.run = args.Get().run;
      inner.num_inputs = static_cast<std::uint32_t>(inputs.size());
      inner.num_outputs = static_cast<std::uint32_t>(outputs.size());
      inner.inputs = inputs.data();
      inner.outputs = outputs.data();
      const Status status = workloads_[i]->Execute(ExecuteArgs(inner));
      if (status != Status::kSuccess) return status;
    }
    return Status::kSuccess;
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  static void Replace(const Numbers& numbers, const bp_tensor* by,
                      std::vector<bp_tensor>& tensors) {
    for (std::size_t i = 0; i < numbers.size(); ++i) tensors[numbers[i]] = {by[i].view, nullptr, 0};
  }

  static std::vector<bp_tensor> Collect(const Numbers& numbers,
                                        const std::vector<bp_tensor>& tensors) {
    std::vector<bp_tensor> collected;
    for (const std::uint32_t number : numbers) collected.push_back(tensors[number]);
    return collected;
  }

  std::vector<const TensorInfo*> GetInfos(const Numbers& tensors) const {
    std::vector<const TensorInfo*> infos;
    for (const std::uint32_t tensor : tensors) {
      infos.push_back(&program_->GetTensors()[tensor].info);
    }
    return infos;
  }

  std::unique_ptr<IWorkload> MakeWorkload(const CompiledProgram::Step& step,
                                          IWorkloadFactory& factory) const {
    const std::vector<const TensorInfo*> inputs = GetInfos(step.inputs);
    const std::vector<const TensorInfo*> outputs = GetInfos(step.outputs);
    std::deque<ConstTensor> contents;
    std::vector<const ConstTensor*> constants;
    for (const std::uint32_t input : step.inputs) {
      const CompiledProgram::Tensor& tensor = program_->GetTensors()[input];
      contents.push_back({tensor.info, tensor.content.data()});
      constants.push_back(tensor.is_constant ? &contents.back() : nullptr);
    }
    WorkloadArgs args;
    args.layer_type = step.type;
    args.layer_name = step.name.c_str();
    args.descriptor = reinterpret_cast<const BaseDescriptor*>(step.descriptor.data());
    args.inputs = inputs.data();
    args.num_inputs = static_cast<std::uint32_t>(inputs.size());
    args.outputs = outputs.data();
    args.num_outputs = static_cast<std::uint32_t>(outputs.size());
    args.constants = constants.data();
    return factory.CreateWorkload(args);
  }

  std::shared_ptr<const CompiledProgram> program_;
  std::vector<std::unique_ptr<IWorkload>> workloads_;
};

}  // namespace

CompiledProgram::CompiledProgram(const OptimizeSubgraphArgs& args, const SubgraphView& part,
                                 std::vector<InPlacePair> in_place)
    : in_place_(std::move(in_place)) {
  for (const LayerId id : part.layers) {
    const LayerView* layer = nullptr;
    if (args.reader->GetLayer(id, &layer) != Status::kSuccess) continue;
    Step step{layer->layer_type, layer->name, {}, {}, {}};
    step.descriptor.resize(layer->descriptor->size_bytes / sizeof(std::uint32_t) + 1);
    std::memcpy(step.descriptor.data(), layer->descriptor, layer->descriptor->size_bytes);
    for (std::uint32_t i = 0; i < layer->num_inputs; ++i) {
      step.inputs.push_back(
          FindTensor(layer->inputs[i], *layer->input_infos[i], layer->constants[i]));
    }
    for (std::uint32_t i = 0; i < layer->num_outputs; ++i) {
      step.outputs.push_back(FindTensor({id, i}, *layer->output_infos[i], nullptr));
    }
    steps_.push_back(std::move(step));
  }
  for (const OutputSlot input : part.inputs)
    inputs_.push_back(numbers_[{input.layer, input.index}]);
  for (const OutputSlot output : part.outputs) {
    outputs_.push_back(numbers_[{output.layer, output.index}]);
  }
}

std::uint32_t CompiledProgram::FindTensor(OutputSlot slot, const TensorInfo& info,
                                          const ConstTensor* content) {
  const auto number = static_cast<std::uint32_t>(tensors_.size());
  const auto [entry, is_new] = numbers_.emplace(std::make_pair(slot.layer, slot.index), number);
  if (!is_new) return entry->second;
  Tensor tensor;
  tensor.info = info;
  if (content != nullptr) {
    tensor.is_constant = true;
    tensor.content.resize(info.GetSizeBytes() / sizeof(std::uint64_t) + 1);
    std::memcpy(tensor.content.data(), content->data, info.GetSizeBytes());
  }
  tensors_.push_back(std::move(tensor));
  return number;
}

std::unique_ptr<IWorkload> MakeProgramWorkload(std::shared_ptr<const CompiledProgram> program,
                                               IWorkloadFactory& factory) {
  return std::make_unique<ProgramWorkload>(std::move(program), factory);
}

}  // namespace backplane
