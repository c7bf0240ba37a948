#include "messages/api_values.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace backplane::messages {
namespace {

template <typename Value, typename PutOne>
void PutEach(wire::Writer& writer, const std::vector<Value>& values, const PutOne& put_one) {
  writer.Put(static_cast<std::uint64_t>(values.size()));
  for (const Value& value : values) put_one(value);
}

template <typename Value, typename TakeOne>
std::vector<Value> TakeEach(wire::Reader& reader, std::size_t least_bytes,
                            const TakeOne& take_one) {
  std::vector<Value> values;
  const std::size_t count = reader.TakeCount(least_bytes);
  for (std::size_t i = 0; i < count && reader.IsWhole(); ++i) values.push_back(take_one());
  return values;
}

template <typename Value>
void PutPlain(wire::Writer& writer, const std::vector<Value>& values) {
  PutEach(writer, values, [&](const Value& value) { writer.Put(value); });
}

template <typename Value>
std::vector<Value> TakePlain(wire::Reader& reader) {
  return TakeEach<Value>(reader, sizeof(Value), [&] { return reader.Take<Value>(); });
}

std::string TakeString(wire::Reader& reader) {
  return std::string(reader.TakeText());
}

/// Whether it has a size that can be computed.
bool IsShape(const TensorShape& shape) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 56U;
  if (shape.rank > kMaxRank) return false;
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape.dims[axis] < 0) return false;
    // Also without those that are 0: some are multiplied before these come.
    const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.dims[axis], 1));
    if (extent > kMostElements / count) return false;
    count *= extent;
  }
  return true;
}

/// What a plugin throws that is no std::exception has no text, on the other side neither.
struct NoException {};

}  // namespace

void Put(wire::Writer& writer, const TensorInfo& info) {
  writer.Put(info.shape).Put(info.data_type);
  PutPlain(writer, info.quantization.scales);
  PutPlain(writer, info.quantization.zero_points);
  writer.Put(info.quantization.axis);
}

TensorInfo TakeInfo(wire::Reader& reader) {
  TensorInfo info;
  info.shape = reader.Take<TensorShape>();
  if (!IsShape(info.shape)) {
    info.shape = {};
    reader.Refuse();
  }
  info.data_type = reader.Take<DataType>();
  info.quantization.scales = TakePlain<float>(reader);
  info.quantization.zero_points = TakePlain<std::int32_t>(reader);
  info.quantization.axis = reader.Take<std::int32_t>();
  return info;
}

void Put(wire::Writer& writer, const OptionValue& value) {
  writer.Put(value.type).Put(value.int_value).Put(value.float_value).PutText(value.string_value);
}

OptionValue TakeOptionValue(wire::Reader& reader) {
  OptionValue value;
  value.type = reader.Take<OptionType>();
  value.int_value = reader.Take<std::int64_t>();
  value.float_value = reader.Take<double>();
  value.string_value = TakeString(reader);
  return value;
}

void Put(wire::Writer& writer, const std::vector<BackendOption>& options) {
  PutEach(writer, options, [&](const BackendOption& option) {
    writer.PutText(option.name);
    Put(writer, option.value);
  });
}

std::vector<BackendOption> TakeOptions(wire::Reader& reader) {
  return TakeEach<BackendOption>(reader, 8, [&] {
    BackendOption option;
    option.name = TakeString(reader);
    option.value = TakeOptionValue(reader);
    return option;
  });
}

void Put(wire::Writer& writer, const std::vector<OptionSchema>& schemas) {
  PutEach(writer, schemas, [&](const OptionSchema& schema) {
    writer.PutText(schema.name).Put(schema.type);
    Put(writer, schema.default_value);
    writer.Put(static_cast<std::uint8_t>(schema.has_range != 0 ? 1 : 0));
    Put(writer, schema.minimum);
    Put(writer, schema.maximum);
    Put(writer, schema.allowed_strings);
    writer.PutText(schema.text);
  });
}

std::vector<OptionSchema> TakeOptionSchemas(wire::Reader& reader) {
  return TakeEach<OptionSchema>(reader, 8, [&] {
    OptionSchema schema;
    schema.name = TakeString(reader);
    schema.type = reader.Take<OptionType>();
    schema.default_value = TakeOptionValue(reader);
    schema.has_range = reader.Take<std::uint8_t>() != 0 ? 1 : 0;
    schema.minimum = TakeOptionValue(reader);
    schema.maximum = TakeOptionValue(reader);
    schema.allowed_strings = TakeTexts(reader);
    schema.text = TakeString(reader);
    return schema;
  });
}

void Put(wire::Writer& writer, const std::vector<std::string>& texts) {
  PutEach(writer, texts, [&](const std::string& text) { writer.PutText(text); });
}

std::vector<std::string> TakeTexts(wire::Reader& reader) {
  return TakeEach<std::string>(reader, 8, [&] { return TakeString(reader); });
}

void Put(wire::Writer& writer, const std::vector<OutputSlot>& slots) {
  PutPlain(writer, slots);
}

std::vector<OutputSlot> TakeSlots(wire::Reader& reader) {
  return TakePlain<OutputSlot>(reader);
}

void Put(wire::Writer& writer, const SubgraphView& view) {
  PutPlain(writer, view.layers);
  Put(writer, view.inputs);
  Put(writer, view.outputs);
}

SubgraphView TakeSubgraph(wire::Reader& reader) {
  SubgraphView view;
  view.layers = TakePlain<LayerId>(reader);
  view.inputs = TakeSlots(reader);
  view.outputs = TakeSlots(reader);
  return view;
}

void Put(wire::Writer& writer, const OptimizationViews& views) {
  const auto put_views = [&](const std::vector<SubgraphView>& parts) {
    PutEach(writer, parts, [&](const SubgraphView& part) { Put(writer, part); });
  };
  PutEach(writer, views.substitutions, [&](const SubgraphSubstitution& substitution) {
    Put(writer, substitution.original);
    Put(writer, substitution.replacement);
  });
  put_views(views.failed);
  put_views(views.untouched);
  put_views(views.deleted);
}

OptimizationViews TakeOptimizationViews(wire::Reader& reader) {
  const auto take_views = [&] {
    return TakeEach<SubgraphView>(reader, 24, [&] { return TakeSubgraph(reader); });
  };
  OptimizationViews views;
  views.substitutions = TakeEach<SubgraphSubstitution>(reader, 48, [&] {
    SubgraphSubstitution substitution;
    substitution.original = TakeSubgraph(reader);
    substitution.replacement = TakeSubgraph(reader);
    return substitution;
  });
  views.failed = take_views();
  views.untouched = take_views();
  views.deleted = take_views();
  return views;
}

void Put(wire::Writer& writer, const TimelineEvent& event) {
  writer.PutText(event.name).PutText(event.lane).Put(event.begin_ns).Put(event.end_ns);
}

TimelineEvent TakeTimelineEvent(wire::Reader& reader) {
  TimelineEvent event;
  event.name = TakeString(reader);
  event.lane = TakeString(reader);
  event.begin_ns = reader.Take<std::uint64_t>();
  event.end_ns = reader.Take<std::uint64_t>();
  return event;
}

void Put(wire::Writer& writer, const std::vector<CounterDescription>& counters) {
  PutEach(writer, counters, [&](const CounterDescription& counter) {
    writer.Put(counter.id).PutText(counter.name).PutText(counter.unit).PutText(counter.text);
  });
}

std::vector<CounterDescription> TakeCounters(wire::Reader& reader) {
  return TakeEach<CounterDescription>(reader, 28, [&] {
    CounterDescription counter;
    counter.id = reader.Take<std::uint32_t>();
    counter.name = TakeString(reader);
    counter.unit = TakeString(reader);
    counter.text = TakeString(reader);
    return counter;
  });
}

void DescriptorCopy::Put(wire::Writer& writer, const BaseDescriptor* descriptor) {
  if (descriptor == nullptr || descriptor->size_bytes < sizeof(BaseDescriptor)) {
    writer.PutText({});
  } else {
    writer.PutBytes(descriptor, descriptor->size_bytes);
  }
}

std::optional<DescriptorCopy> DescriptorCopy::Take(wire::Reader& reader) {
  const std::string_view bytes = reader.TakeText();
  DescriptorCopy copy;
  if (bytes.empty()) return copy;
  if (bytes.size() < sizeof(BaseDescriptor)) return std::nullopt;
  copy.storage_.resize((bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  std::memcpy(copy.storage_.data(), bytes.data(), bytes.size());
  if (copy.Get()->size_bytes != bytes.size()) return std::nullopt;
  return copy;
}

void Put(wire::Writer& writer, const LayerSource& layer) {
  writer.Put(layer.type).Put(layer.id).PutText(layer.name != nullptr ? layer.name : "");
  DescriptorCopy::Put(writer, layer.descriptor);
  const auto put_infos = [&](const TensorInfo* const* infos, std::uint32_t count) {
    writer.Put(static_cast<std::uint64_t>(count));
    for (std::uint32_t i = 0; i < count; ++i) Put(writer, *infos[i]);
  };
  put_infos(layer.inputs, layer.inputs != nullptr ? layer.num_inputs : 0);
  put_infos(layer.outputs, layer.num_outputs);
  writer.Put(static_cast<std::uint64_t>(layer.slots != nullptr ? layer.num_inputs : 0));
  for (std::uint32_t i = 0; layer.slots != nullptr && i < layer.num_inputs; ++i) {
    writer.Put(layer.slots[i]);
  }
  writer.Put(static_cast<std::uint64_t>(layer.constants != nullptr ? layer.num_inputs : 0));
  for (std::uint32_t i = 0; layer.constants != nullptr && i < layer.num_inputs; ++i) {
    const std::optional<ConstantPlace>& constant = (*layer.constants)[i];
    writer.Put(static_cast<std::uint8_t>(constant ? 1 : 0));
    if (!constant) continue;
    Put(writer, constant->info);
    writer.Put(constant->area).Put(constant->offset_bytes);
  }
}

std::optional<LayerRecord> TakeLayer(wire::Reader& reader) {
  LayerRecord layer;
  layer.type = reader.Take<LayerType>();
  layer.id = reader.Take<LayerId>();
  layer.name = TakeString(reader);
  auto descriptor = DescriptorCopy::Take(reader);
  if (!descriptor) return std::nullopt;
  layer.descriptor = std::move(*descriptor);
  const auto take_infos = [&] {
    return TakeEach<TensorInfo>(reader, sizeof(TensorShape), [&] { return TakeInfo(reader); });
  };
  layer.inputs = take_infos();
  layer.outputs = take_infos();
  layer.slots = TakeSlots(reader);
  layer.constants = TakeEach<std::optional<ConstantPlace>>(reader, 1, [&] {
    std::optional<ConstantPlace> constant;
    if (reader.Take<std::uint8_t>() == 0) return constant;
    constant.emplace();
    constant->info = TakeInfo(reader);
    constant->area = reader.Take<std::uint64_t>();
    constant->offset_bytes = reader.Take<std::uint64_t>();
    return constant;
  });
  if (!reader.IsWhole()) return std::nullopt;
  return layer;
}

std::string DescribeThrown(std::size_t max_text_bytes) {
  wire::Writer writer;
  const auto describe = [&](ThrownText::Type type, UnavailabilityReason reason, const char* what) {
    const std::string_view text = what != nullptr ? what : "";
    writer.Put(type).Put(reason).PutText(text.substr(0, max_text_bytes));
  };
  try {
    throw;
  } catch (const BackendUnavailableException& exception) {
    describe(ThrownText::Type::kUnavailable, exception.GetReason(), exception.what());
  } catch (const std::exception& exception) {
    describe(ThrownText::Type::kException, UnavailabilityReason::kOther, exception.what());
  } catch (...) {
    describe(ThrownText::Type::kOther, UnavailabilityReason::kOther, "");
  }
  return writer.Get();
}

void Rethrow(const std::string& body, const std::function<std::string(std::string)>& amend) {
  wire::Reader reader(body);
  const auto type = reader.Take<ThrownText::Type>();
  const auto reason = reader.Take<UnavailabilityReason>();
  const std::string what = amend(std::string(reader.TakeText()));
  if (type == ThrownText::Type::kUnavailable) throw BackendUnavailableException(what, reason);
  if (type == ThrownText::Type::kException) throw std::runtime_error(what);
  throw NoException{};
}

}  // namespace backplane::messages
