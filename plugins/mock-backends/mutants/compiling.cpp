#include "compiling.hpp"

#include "mistake.hpp"
#include "pass.hpp"

#include <backplane/api/descriptor_extents.hpp>
#include <backplane/api/subgraph_parts.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace mutants {
namespace {

using backplane::LayerId;
using backplane::LayerView;
using backplane::OptimizationViews;
using backplane::OptimizeSubgraphArgs;
using backplane::Status;
using backplane::SubgraphView;

constexpr std::size_t kLayersOfAPart = 3;
constexpr char kPlanKey[] = "plan-1";

const LayerView& GetLayer(const OptimizeSubgraphArgs& args, LayerId id) {
  const LayerView* layer = nullptr;
  if (args.reader->GetLayer(id, &layer) != Status::kSuccess) {
    throw std::runtime_error("a layer of the sub-graph cannot be read");
  }
  return *layer;
}

bool IsCompiled(const OptimizeSubgraphArgs& args, LayerId id) {
  return GetLayer(args, id).layer_type == backplane::LayerType::kPreCompiled;
}

/// Whether a plan was kept by an earlier process; keeps one otherwise.
bool UseCache(const OptimizeSubgraphArgs& args) {
  if (args.cache == nullptr) return false;
  const auto num_layers = static_cast<std::uint32_t>(args.subgraph->layers.size());
  std::vector<std::uint8_t> plan;
  const bool is_found = args.cache->Load(kPlanKey, &plan) == Status::kSuccess &&
                        plan.size() == sizeof(num_layers) &&
                        std::memcmp(plan.data(), &num_layers, sizeof(num_layers)) == 0;
  // Without a plan there is only more to do next time.
  if (!is_found) {
    static_cast<void>(args.cache->Store(kPlanKey, &num_layers, sizeof(num_layers)));
  }
  return is_found;
}

void ReleaseConstants(const OptimizeSubgraphArgs& args, const std::vector<LayerId>& layers) {
  for (const LayerId id : layers) {
    const LayerView& layer = GetLayer(args, id);
    for (std::uint32_t input = 0; input < layer.num_inputs; ++input) {
      if (layer.constants[input] == nullptr) continue;
      if (args.builder->ReleaseConstant(id, input) != Status::kSuccess) {
        throw std::runtime_error("a constant cannot be let go of");
      }
    }
  }
}

void Replace(const OptimizeSubgraphArgs& args, const SubgraphView& part, bool is_loaded,
             OptimizationViews& views) {
  auto compiled = std::make_shared<Compiled>(args, part);
  if (is_loaded) compiled->MarkAsLoaded();
  const Status status =
      backplane::ReplaceByPreCompiled(args, part, std::move(compiled), "three layers", &views);
  if (status != Status::kSuccess) {
    views.untouched.push_back(part);
  } else {
    ReleaseConstants(args, part.layers);
  }
}

void Spoil(OptimizationViews& views) {
  static std::size_t num_calls = 0;
  if (Makes(Mistake::kLayersForgotten) && !views.substitutions.empty()) {
    views.substitutions.pop_back();
  }
  if (Makes(Mistake::kLayersTwice) && !views.substitutions.empty()) {
    views.untouched.push_back(views.substitutions.back().original);
  }
  if (Makes(Mistake::kPlansChange) && num_calls++ % 2 == 1) {
    for (const auto& substitution : views.substitutions) {
      views.untouched.push_back(substitution.original);
    }
    views.substitutions.clear();
  }
}

}  // namespace

Compiled::Compiled(const OptimizeSubgraphArgs& args, const SubgraphView& part) {
  for (const backplane::OutputSlot input : part.inputs) {
    made_[{input.layer, input.index}] = values_.size();
    inputs_.push_back(values_.size());
    values_.emplace_back();  // described by whoever reads it
  }
  for (const LayerId id : part.layers) AddStep(GetLayer(args, id));
  for (const backplane::OutputSlot output : part.outputs) {
    outputs_.push_back(made_.at({output.layer, output.index}));
  }
  PlaceValues();
}

void Compiled::PlaceValues() {
  num_bytes_ = 0;
  for (Value& value : values_) {
    value.offset = num_bytes_;
    num_bytes_ += memory_mock::KernelTensors::GetPlaceBytes(value.info);
  }
}

std::shared_ptr<const backplane::IPreCompiledObject> Compiled::Resize(
    const backplane::ResizeArgs& args) const {
  if (Makes(Mistake::kResizedKeepExtents)) return shared_from_this();
  if (args.num_constants != 0) return nullptr;
  const auto change = [&](std::int64_t& extent) {
    const auto* const end = args.changes + args.num_changes;
    const auto* const found =
        std::find_if(args.changes, end, [&](const auto& one) { return one.before == extent; });
    if (found != end) extent = found->after;
  };
  std::shared_ptr<Compiled> resized(new Compiled);
  resized->values_ = values_;
  resized->inputs_ = inputs_;
  resized->outputs_ = outputs_;
  resized->steps_ = steps_;
  for (Value& value : resized->values_) {
    for (std::uint32_t axis = 0; axis < value.info.shape.rank; ++axis) {
      if (value.content.empty()) change(value.info.shape.dims[axis]);
    }
  }
  resized->PlaceValues();
  for (Step& step : resized->steps_) {
    backplane::VisitExtents(
        step.type, *reinterpret_cast<backplane::BaseDescriptor*>(step.descriptor.data()), change);
    resized->MakeKernel(step);
  }
  return resized;
}

std::vector<backplane::InPlacePair> Compiled::GetInPlacePairs() const {
  if (inputs_.empty() || !(values_[inputs_[0]].info == values_[outputs_[0]].info)) return {};
  return {{0, 0}};
}

void Compiled::MakeKernel(Step& step) const {
  std::vector<const backplane::TensorInfo*> inputs;
  std::vector<const backplane::TensorInfo*> outputs;
  std::vector<backplane::ConstTensor> contents;
  contents.reserve(step.inputs.size());
  std::vector<const backplane::ConstTensor*> constants;
  for (const std::size_t number : step.inputs) {
    const Value& value = values_[number];
    inputs.push_back(&value.info);
    contents.push_back({value.info, value.content.data()});
    constants.push_back(value.content.empty() ? nullptr : &contents.back());
  }
  for (const std::size_t number : step.outputs) outputs.push_back(&values_[number].info);
  backplane::WorkloadArgs args;
  args.layer_type = step.type;
  args.descriptor = reinterpret_cast<const backplane::BaseDescriptor*>(step.descriptor.data());
  args.inputs = inputs.data();
  args.outputs = outputs.data();
  args.num_inputs = static_cast<std::uint32_t>(inputs.size());
  args.num_outputs = static_cast<std::uint32_t>(outputs.size());
  args.constants = constants.data();
  step.kernel = kernels_->CreateWorkload(args);
}

std::size_t Compiled::AddValue(const backplane::TensorInfo& info) {
  values_.emplace_back();
  values_.back().info = info;
  return values_.size() - 1;
}

std::size_t Compiled::AddConstant(const backplane::ConstTensor& constant) {
  const std::size_t number = AddValue(constant.info);
  const auto* bytes = static_cast<const unsigned char*>(constant.data);
  values_[number].content.assign(bytes, bytes + constant.info.GetSizeBytes());
  if (Makes(Mistake::kCompiledKeepsConstants) || Makes(Mistake::kReleasedConstantsRead)) {
    values_[number].borrowed = constant.data;
  }
  return number;
}

std::size_t Compiled::FindInput(const LayerView& layer, std::uint32_t index) {
  if (layer.constants[index] != nullptr) return AddConstant(*layer.constants[index]);
  const backplane::OutputSlot slot = layer.inputs[index];
  const std::size_t number = made_.at({slot.layer, slot.index});
  values_[number].info = *layer.input_infos[index];
  return number;
}

void Compiled::AddStep(const LayerView& layer) {
  Step step;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) step.inputs.push_back(FindInput(layer, i));
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    const std::size_t number = AddValue(*layer.output_infos[i]);
    made_[{layer.id, i}] = number;
    step.outputs.push_back(number);
  }
  step.type = layer.layer_type;
  const std::size_t num_bytes = layer.descriptor->size_bytes;
  step.descriptor.resize((num_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  std::memcpy(step.descriptor.data(), layer.descriptor, num_bytes);
  MakeKernel(step);
  steps_.push_back(std::move(step));
}

void Compiled::Run(const memory_mock::Tensors& inputs, const memory_mock::Tensors& outputs) const {
  backplane::cpuref::ScratchMemory memory(num_bytes_);
  unsigned char* const data = memory.GetData();
  if (Makes(Mistake::kOverwritesUnreadInputs)) {
    const std::vector<unsigned char> zeros(static_cast<std::size_t>(outputs[0].CountBytes()));
    outputs[0].EncodeFrom(zeros.data());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].DecodeInto(data + values_[inputs_[i]].offset);
  }
  std::deque<memory_mock::DenseTensor> tensors;
  for (const Value& value : values_) {
    unsigned char* const place = data + value.offset;
    const void* content = value.borrowed != nullptr ? value.borrowed : value.content.data();
    if (!value.content.empty()) std::memcpy(place, content, value.content.size());
    tensors.emplace_back(value.info, place);
  }
  const auto state = kernels_->CreateExecutionState();
  const std::size_t num_steps = steps_.size() - (Makes(Mistake::kLastLayerLost) ? 1 : 0);
  for (std::size_t number = 0; number < num_steps; ++number) {
    const Step& step = steps_[number];
    std::vector<backplane::ITensorHandle*> read;
    std::vector<backplane::ITensorHandle*> written;
    for (const std::size_t input : step.inputs) read.push_back(&tensors[input]);
    for (const std::size_t output : step.outputs) written.push_back(&tensors[output]);
    const backplane::RunArguments args(read, written, state.get());
    const Status status = step.kernel->Execute(args.Show());
    if (status != Status::kSuccess) throw std::runtime_error(backplane::GetStatusText(status));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    unsigned char* const result = data + values_[FindOutput(i)].offset;
    const auto num_bytes = static_cast<std::size_t>(outputs[i].CountBytes());
    if (is_loaded_ && Makes(Mistake::kLoadedPlanDiffers) && num_bytes != 0) {
      result[num_bytes - 1] ^= 0x40;
    }
    outputs[i].EncodeFrom(result);
  }
}

std::size_t Compiled::FindOutput(std::size_t index) const {
  const std::size_t other = outputs_.size() - 1 - index;
  const bool is_exchanged = Makes(Mistake::kOutputsExchanged) &&
                            values_[outputs_[other]].info == values_[outputs_[index]].info;
  return outputs_[is_exchanged ? other : index];
}

OptimizationViews Compile(const OptimizeSubgraphArgs& args) {
  Pass(Place::kCompile);
  const bool is_loaded = UseCache(args);
  OptimizationViews views;
  std::vector<LayerId> together;
  const auto leave_alone = [&] {
    if (!together.empty()) views.untouched.push_back(backplane::MakeSubgraphPart(args, together));
    if (Makes(Mistake::kNeededConstantsReleased)) ReleaseConstants(args, together);
    together.clear();
  };
  for (const LayerId id : args.subgraph->layers) {
    // What is compiled already comes from an earlier call.
    const bool is_compiled = IsCompiled(args, id);
    if (is_compiled) leave_alone();
    together.push_back(id);
    if (is_compiled) leave_alone();
    if (together.size() < kLayersOfAPart) continue;
    Replace(args, backplane::MakeSubgraphPart(args, together), is_loaded, views);
    together.clear();
  }
  leave_alone();
  Spoil(views);
  return views;
}

}  // namespace mutants
