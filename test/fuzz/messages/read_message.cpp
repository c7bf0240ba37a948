#include "read_message.hpp"

#include "serving/api_values.hpp"

#include <cstdint>

namespace backplane::fuzz {
namespace {

using wire::Reader;

std::string FindFaultInInfo(const TensorInfo& info) {
  if (info.shape.rank > kMaxRank) return "a rank beyond the largest";
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    if (info.shape.dims[axis] < 0) return "a negative extent";
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(info.shape.dims[axis]), &count)) {
      return "a shape whose size cannot be computed";
    }
  }
  return info.GetSizeBytes() >= count * GetDataTypeSizeBytes(info.data_type) ? "" : "a wrong size";
}

std::string FindFaultInLayer(const serving::LayerRecord& layer) {
  if (!layer.descriptor.IsEmpty() && layer.descriptor.Get()->size_bytes < sizeof(BaseDescriptor)) {
    return "a descriptor that is too short";
  }
  for (const auto* infos : {&layer.inputs, &layer.outputs}) {
    for (const TensorInfo& info : *infos) {
      if (const std::string fault = FindFaultInInfo(info); !fault.empty()) return fault;
    }
  }
  for (const auto& constant : layer.constants) {
    if (!constant) continue;
    if (const std::string fault = FindFaultInInfo(constant->info); !fault.empty()) return fault;
  }
  return "";
}

TensorInfo MakeInfo() {
  TensorInfo info({2, 3, 4}, DataType::kFloat32);
  info.quantization.scales = {0.5F, 0.25F};
  info.quantization.zero_points = {1, 2};
  return info;
}

}  // namespace

std::string ReadAsEveryMessage(std::string_view bytes) {
  Reader(bytes).Take<std::vector<BackendOption>>();
  Reader(bytes).Take<std::vector<OptionSchema>>();
  Reader(bytes).Take<std::vector<std::string>>();
  Reader(bytes).Take<OptimizationViews>();
  Reader(bytes).Take<TimelineEvent>();
  Reader(bytes).Take<std::vector<CounterDescription>>();
  if (const std::string fault = FindFaultInInfo(Reader(bytes).Take<TensorInfo>()); !fault.empty()) {
    return fault;
  }
  Reader layer(bytes);
  const auto taken = layer.Take<serving::LayerRecord>();
  return layer.IsWhole() ? FindFaultInLayer(taken) : "";
}

std::vector<std::string> MakeGoodMessages() {
  const TensorInfo info = MakeInfo();
  const TensorInfo* const infos[] = {&info, &info};
  const OutputSlot slots[2] = {{3, 0}, {4, 1}};
  const std::vector<std::optional<serving::ConstantPlace>> constants = {
      std::nullopt, serving::ConstantPlace{info, 7, 64}};
  serving::LayerSource layer;
  layer.view.name = "layer";
  layer.view.input_infos = infos;
  layer.view.num_inputs = 2;
  layer.view.output_infos = infos;
  layer.view.num_outputs = 1;
  layer.view.inputs = slots;
  layer.constants = constants.data();
  OptionSchema schema;
  schema.name = "threads";
  schema.allowed_strings = {"one", "two"};
  SubgraphView view;
  view.layers = {1, 2, 3};
  view.inputs = {{1, 0}};
  OptimizationViews views;
  views.substitutions.emplace_back();
  views.substitutions.back().original = view;
  views.untouched = {view, view};
  CounterDescription counter;
  counter.name = "runs";
  return {wire::WriteFields(info),
          wire::WriteFields(layer),
          wire::WriteFields(std::vector<BackendOption>{{"Rank", OptionValue(std::int64_t{7})}}),
          wire::WriteFields(std::vector<OptionSchema>{schema}),
          wire::WriteFields(std::vector<std::string>{"a", "bc"}),
          wire::WriteFields(views),
          wire::WriteFields(TimelineEvent()),
          wire::WriteFields(std::vector<CounterDescription>{counter})};
}

}  // namespace backplane::fuzz
