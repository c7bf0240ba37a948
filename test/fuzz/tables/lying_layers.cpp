// What a lying backend says of layers, compiles and runs.

#include "lying_functions.hpp"

#include <cmath>
#include <iterator>
#include <vector>

namespace backplane::fuzz {
namespace {

/// What is said of a tensor in place of `honest`.
class LyingInfo {
 public:
  explicit LyingInfo(const bp_tensor_info& honest)
      : info_(honest), dims_(honest.dims, honest.rank), number_(1.0F), zero_(0) {
    const TableLies& lies = GetLies();
    lies.ChangeSize(TableLie::kInfoSize, info_->size_bytes);
    lies.Change(TableLie::kInfoType, info_->data_type);
    lies.Change(TableLie::kInfoRank, info_->rank);
    info_->dims = dims_.Get();
    lies.Change(TableLie::kInfoExtent, *dims_.Get());
    lies.Drop(TableLie::kInfoDims, info_->dims);
    lies.Change(TableLie::kInfoStorage, info_->storage);
    for (const TableLie lie :
         {TableLie::kQuantizationKind, TableLie::kQuantizationAxis, TableLie::kQuantizationReserved,
          TableLie::kNoScales, TableLie::kScaleInfo, TableLie::kScaleData, TableLie::kScaleBytes,
          TableLie::kZeroPointData}) {
      if (lies.Tells(lie)) Quantize();
    }
  }

  const bp_tensor_info* Get() const { return info_.Get(); }

 private:
  void Quantize() {
    const TableLies& lies = GetLies();
    scale_info_ = MakeStruct<bp_tensor_info>();
    scale_info_.data_type = BP_DATA_TYPE_FLOAT32;
    zero_info_ = scale_info_;
    zero_info_.data_type = BP_DATA_TYPE_INT32;
    scale_ = MakeStruct<bp_constant>();
    scale_.num_bytes = 4;
    zero_point_ = scale_;
    scale_.info = &scale_info_;
    zero_point_.info = &zero_info_;
    scale_.data = number_.Get();
    zero_point_.data = zero_.Get();
    quantization_ = MakeStruct<bp_quantization>();
    quantization_.kind = BP_QUANTIZATION_PER_TENSOR;
    quantization_.scales = &scale_;
    quantization_.zero_points = &zero_point_;
    lies.Change(TableLie::kQuantizationKind, quantization_.kind);
    lies.Change(TableLie::kQuantizationAxis, quantization_.axis);
    lies.Change(TableLie::kQuantizationReserved, quantization_.reserved);
    lies.Drop(TableLie::kNoScales, quantization_.scales);
    lies.Drop(TableLie::kScaleInfo, scale_.info);
    lies.Drop(TableLie::kScaleData, scale_.data);
    lies.Change(TableLie::kScaleBytes, scale_.num_bytes);
    lies.Drop(TableLie::kZeroPointData, zero_point_.data);
    info_->quantization = &quantization_;
  }

  Room<bp_tensor_info> info_;
  Room<std::int64_t> dims_;
  Room<float> number_;
  Room<std::int32_t> zero_;
  bp_tensor_info scale_info_{}, zero_info_{};
  bp_constant scale_{}, zero_point_{};
  bp_quantization quantization_{};
};

bp_status Support(bp_instance* /*instance*/, const bp_layer_args* args, bp_support* support,
                  bp_error* error) {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kSupportWords)) {
    for (std::uint32_t i = 0; i < args->layer->num_outputs; ++i) support->in_place[i] = UINT64_MAX;
    support->time_us = std::nan("");
    support->scratch_bytes = lies.PickNumber(TableLie::kSupportWords);
    support->kinds = nullptr;
    support->in_place = nullptr;
  }
  lies.ChangeSize(TableLie::kSupportSize, support->size_bytes);
  return Finish(TableLie::kSupports, args->scope->host, error);
}

bp_status Infer(bp_instance* /*instance*/, const bp_layer_args* args, bp_sink* sink,
                bp_error* error) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args->scope->host;
  const LyingInfo info(*args->layer->inputs[0]);
  const int count = lies.Tells(TableLie::kNoInfo) ? 0 : lies.Tells(TableLie::kMoreInfos) ? 70 : 1;
  for (int i = 0; i < count; ++i) {
    static_cast<void>(AddItem(host, sink, BP_ITEM_TENSOR_INFO, info.Get(), error));
  }
  return Finish(TableLie::kInfer, &host, error);
}

// ---- Compiling

struct Added {
  bool is_added = false;
  bool is_owned = false;  // the host has what was compiled
};

/// Adds the layer of a compiled sub-graph, or another one.
Added AddReplacement(const bp_optimize_args& args, bp_compiled* compiled, std::uint32_t* id) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args.scope->host;
  const bp_part& part = *args.part;
  std::vector<const bp_tensor_info*> outputs;
  const LyingInfo info(*args.layers[args.num_layers - 1]->outputs[0]);
  for (std::uint32_t i = 0; i < part.num_outputs; ++i) outputs.push_back(info.Get());
  const Room<const bp_tensor_info*> output_room(outputs.data(), outputs.size());
  const Room<bp_slot> slots(part.inputs, part.num_inputs);
  auto layer = MakeStruct<bp_layer>();
  layer.type = BP_LAYER_PRE_COMPILED;
  layer.name = "compiled";
  layer.outputs = output_room.Get();
  layer.num_outputs = part.num_outputs;
  layer.slots = slots.Get();
  layer.num_inputs = part.num_inputs;
  layer.compiled = compiled;
  lies.ChangeSize(TableLie::kLayerSize, layer.size_bytes);
  lies.Change(TableLie::kLayerReserved, layer.reserved);
  lies.Change(TableLie::kLayerType, layer.type);
  lies.ChangeText(TableLie::kLayerName, layer.name);
  const std::int64_t number = 3;
  const bp_named_value attribute{"depth", {BP_VALUE_INT, 0, 1, &number}};
  const Room<bp_named_value> attributes(attribute);
  auto custom = MakeStruct<bp_custom_descriptor>();
  custom.version = 1;
  custom.domain = "fuzz";
  custom.type = "Twist";
  custom.attributes = attributes.Get();
  custom.num_attributes = 1;
  lies.ChangeSize(TableLie::kCustomSize, custom.size_bytes);
  lies.ChangeText(TableLie::kCustomName, custom.type);
  lies.Drop(TableLie::kCustomAttributes, custom.attributes);
  lies.Change(TableLie::kCustomNumAttributes, custom.num_attributes);
  const Room<bp_custom_descriptor> custom_room(custom);
  for (const TableLie lie : {TableLie::kCustomSize, TableLie::kCustomName,
                             TableLie::kCustomAttributes, TableLie::kCustomNumAttributes}) {
    if (!lies.Tells(lie)) continue;
    layer.type = BP_LAYER_CUSTOM;
    layer.descriptor = custom_room.Get();
  }
  auto activation = MakeStruct<bp_activation_descriptor>();
  lies.ChangeSize(TableLie::kLayerDescriptor, activation.size_bytes);
  lies.Change(TableLie::kLayerDescriptor, activation.function);
  const Room<bp_activation_descriptor> activation_room(activation);
  if (lies.Tells(TableLie::kLayerDescriptor)) {
    layer.type = 1 + lies.Choose(TableLie::kLayerDescriptor, 40);
    layer.descriptor =
        lies.Choose(TableLie::kLayerDescriptor, 3) == 0 ? nullptr : activation_room.Get();
    if (layer.descriptor != nullptr) layer.type = BP_LAYER_ACTIVATION;
  }
  lies.Drop(TableLie::kLayerOutputs, layer.outputs);
  lies.Change(TableLie::kLayerNumOutputs, layer.num_outputs);
  lies.Drop(TableLie::kLayerSlots, layer.slots);
  lies.Change(TableLie::kLayerNumInputs, layer.num_inputs);
  lies.Drop(TableLie::kLayerCompiled, layer.compiled);
  const Room<bp_layer> room(layer);
  Added added;
  added.is_added = host.add_layer(args.offer, room.Get(), id, nullptr) == BP_STATUS_SUCCESS;
  added.is_owned = added.is_added && layer.type == BP_LAYER_PRE_COMPILED;
  return added;
}

void AddConstants(const bp_optimize_args& args) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args.scope->host;
  const float number = 1;
  const Room<float> content(number);
  const bp_tensor_info& honest = *args.layers[0]->outputs[0];
  const LyingInfo info(honest);
  const bp_tensor_info* const infos[] = {info.Get()};
  auto constant = MakeStruct<bp_constant>();
  constant.info = info.Get();
  constant.data = content.Get();
  constant.num_bytes = 4;
  for (std::uint32_t axis = 0; axis < honest.rank; ++axis) {
    constant.num_bytes *= static_cast<std::uint64_t>(honest.dims[axis]);
  }
  lies.Change(TableLie::kConstantBytes, constant.num_bytes);
  const bp_constant* const constants[] = {&constant};
  auto layer = MakeStruct<bp_layer>();
  layer.type = BP_LAYER_CONSTANT;
  layer.outputs = infos;
  layer.num_outputs = 1;
  layer.constants = constants;
  if (lies.Tells(TableLie::kConstantLayer)) {
    const std::uint32_t which = lies.Choose(TableLie::kConstantLayer, 4);
    if (which == 0) layer.constants = nullptr;
    if (which == 1) constant.info = nullptr, layer.outputs = nullptr;
    if (which == 2) constant.data = nullptr;
    if (which == 3) constant.info = nullptr, layer.num_outputs = 0;
  }
  std::uint32_t id = 0;
  static_cast<void>(host.add_layer(args.offer, &layer, &id, nullptr));
}

void ReadConstants(const bp_optimize_args& args) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args.scope->host;
  for (std::uint32_t i = 0; i < args.num_layers; ++i) {
    const bp_layer& layer = *args.layers[i];
    for (std::uint32_t input = 0; input < layer.num_inputs; ++input) {
      const bp_constant* const constant = layer.constants[input];
      if (constant == nullptr || constant->source == nullptr) continue;
      const Room<std::uint64_t> destination(0);
      auto read = MakeStruct<bp_read_args>();
      read.destination = destination.Get();
      read.num_bytes = 4;
      lies.Change(TableLie::kReadBytes, read.num_bytes);
      read.offset = lies.Choose(TableLie::kReadBytes, 2) == 0 ? 0 : read.num_bytes - 1;
      if (read.num_bytes > (1U << 20U)) read.offset = UINT64_MAX - read.num_bytes + 1;
      auto content = MakeStruct<bp_content>();
      static_cast<void>(host.read_constant(constant->source, &read, &content, nullptr));
      static_cast<void>(host.release_constant(constant->source, nullptr));
      static_cast<void>(host.release_constant(constant->source, nullptr));
    }
  }
}

void AnswerOffer(const bp_optimize_args& args, std::uint32_t kind, const bp_part* replacement) {
  const TableLies& lies = GetLies();
  auto part = *args.part;
  const Room<std::uint32_t> layers(part.layers, part.num_layers);
  const Room<bp_slot> inputs(part.inputs, part.num_inputs);
  const Room<bp_slot> outputs(part.outputs, part.num_outputs);
  part.layers = layers.Get();
  part.inputs = inputs.Get();
  part.outputs = outputs.Get();
  lies.Drop(TableLie::kPartLayers, part.layers);
  lies.Change(TableLie::kPartNumLayers, part.num_layers);
  lies.Change(TableLie::kPartIds, *layers.Get());
  lies.Change(TableLie::kPartIds, inputs.Get()->layer);
  lies.Drop(TableLie::kPartSlots, part.inputs);
  lies.Drop(TableLie::kPartSlots, part.outputs);
  lies.Change(TableLie::kPartNumSlots, part.num_inputs);
  lies.Change(TableLie::kPartNumSlots, part.num_outputs);
  auto answer = MakeStruct<bp_answer>();
  answer.kind = kind;
  answer.part = &part;
  answer.replacement = replacement;
  lies.ChangeSize(TableLie::kAnswerSize, answer.size_bytes);
  lies.Change(TableLie::kAnswerKind, answer.kind);
  if (lies.Tells(TableLie::kAnswerPart)) {
    (lies.Choose(TableLie::kAnswerPart, 2) == 0 ? answer.part : answer.replacement) = nullptr;
  }
  const Room<bp_answer> room(answer);
  const int times = lies.Tells(TableLie::kAnswerTwice) ? 2 : 1;
  for (int i = 0; i < times; ++i) {
    static_cast<void>(args.scope->host->answer(args.offer, room.Get(), nullptr));
  }
}

bp_status Optimize(bp_instance* /*instance*/, const bp_optimize_args* args, bp_error* error) {
  const TableLies& lies = GetLies();
  const bp_host& host = *args->scope->host;
  AskNonsense(host, args->scope->log, args->offer);
  ReadConstants(*args);
  AddConstants(*args);
  if (lies.ChooseForm(8) == 0) {
    AnswerOffer(*args, BP_PART_UNTOUCHED, nullptr);
    return Finish(TableLie::kOptimize, &host, error);
  }
  auto* const compiled = new bp_compiled;
  compiled->sort = "compiled";
  Hand(compiled, "compiled");
  std::uint32_t id = 0;
  const Added added = AddReplacement(*args, compiled, &id);
  if (!added.is_owned) Free(compiled, "compiled");
  if (!added.is_added) return Finish(TableLie::kOptimize, &host, error);
  if (added.is_owned && lies.Tells(TableLie::kCompiledTwice)) {
    static_cast<void>(AddReplacement(*args, compiled, &id));
  }
  std::vector<bp_slot> outputs;
  for (std::uint32_t i = 0; i < args->part->num_outputs; ++i) outputs.push_back({id, i});
  auto replacement = *args->part;
  replacement.layers = &id;
  replacement.num_layers = 1;
  replacement.outputs = outputs.data();
  AnswerOffer(*args, BP_PART_REPLACED, &replacement);
  return Finish(TableLie::kOptimize, &host, error);
}

// ---- Loading and running

bp_status MakeBuilder(bp_instance* /*instance*/, const bp_scope_args* args, bp_builder** builder,
                      bp_error* error) {
  return Give(TableLie::kMakeBuilder, TableLie::kNoBuilder, "builder", args->scope->host, builder,
              error);
}

bp_status MakeWorkload(bp_builder* /*builder*/, const bp_layer_args* args, bp_workload** workload,
                       bp_error* error) {
  return Give(TableLie::kMakeWorkload, TableLie::kNoWorkload, "workload", args->scope->host,
              workload, error);
}

bp_status MakeLoaded(bp_builder* /*builder*/, const bp_scope_args* args, bp_loaded** loaded,
                     bp_error* error) {
  return Give(TableLie::kMakeLoaded, TableLie::kNoLoaded, "loaded", args->scope->host, loaded,
              error);
}

bp_status SayMemory(const bp_loaded* /*loaded*/, const bp_scope_args* args,
                    bp_memory_report* report, bp_error* error) {
  GetLies().Change(TableLie::kMemoryNumbers, report->constants);
  GetLies().Change(TableLie::kMemoryNumbers, report->size_bytes);
  return Finish(TableLie::kMemory, args->scope->host, error);
}

bp_status MakeState(const bp_loaded* /*loaded*/, const bp_state_args* args, bp_state** state,
                    bp_error* error) {
  return Give(TableLie::kMakeState, TableLie::kNoState, "state", args->scope->host, state, error);
}

bp_status Run(const bp_workload* /*workload*/, const bp_run_args* args, bp_error* error) {
  for (std::uint32_t i = 0; i < args->num_outputs; ++i) {
    const bp_view* const view = args->outputs[i].view;
    if (view == nullptr || view->data == nullptr || args->outputs[i].handle != nullptr) continue;
    std::memset(view->data, 0, view->num_bytes);
  }
  AskNonsense(*args->scope->host, args->scope->log, nullptr);
  return Finish(TableLie::kRun, args->scope->host, error);
}

}  // namespace

void AddLayerFunctions(bp_backend& table) {
  table.supports = Support;
  table.infer = Infer;
  table.optimize = Optimize;
  table.free_compiled = [](bp_compiled* compiled) { Free(compiled, "compiled"); };
  table.make_builder = MakeBuilder;
  table.free_builder = [](bp_builder* builder) { Free(builder, "builder"); };
  table.make_workload = MakeWorkload;
  table.free_workload = [](bp_workload* workload) { Free(workload, "workload"); };
  table.make_loaded = MakeLoaded;
  table.free_loaded = [](bp_loaded* loaded) { Free(loaded, "loaded"); };
  table.memory = SayMemory;
  table.make_state = MakeState;
  table.free_state = [](bp_state* state) { Free(state, "state"); };
  table.run = Run;
}

}  // namespace backplane::fuzz
