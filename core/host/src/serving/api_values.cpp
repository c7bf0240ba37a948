#include "serving/api_values.hpp"

#include <backplane/host/plugin_object.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace backplane::serving {
namespace {

/// Stands for what a plugin threw that is no std::exception, and so has no text.
struct NoException {};

/// The parts of a custom layer.
struct CustomFields {
  std::string domain;
  std::string type;
  std::uint32_t version = 1;
  std::vector<OperatorAttribute> attributes;
  std::vector<TensorInfo> outputs;
};

template <typename Fields>
void VisitFields(Fields& fields, CustomFields& custom) {
  fields(custom.domain, custom.type, custom.version, custom.attributes, custom.outputs);
}

void PutCustom(wire::Writer& writer, const CustomDescriptor& from) {
  CustomFields fields{from.domain, from.type, from.version, GetAttributes(from), {}};
  fields.outputs.assign(from.outputs, from.outputs + from.num_outputs);
  writer.Put(fields);
}

void PutDescriptor(wire::Writer& writer, LayerType type, const BaseDescriptor* descriptor) {
  if (type == LayerType::kCustom && descriptor != nullptr) {
    PutCustom(writer, static_cast<const CustomDescriptor&>(*descriptor));
  } else if (descriptor == nullptr || descriptor->size_bytes < sizeof(BaseDescriptor)) {
    writer.PutText({});
  } else {
    writer.PutBytes(descriptor, descriptor->size_bytes);
  }
}

/// Null: what is there is none.
std::shared_ptr<const CustomLayer> TakeCustom(wire::Reader& reader) {
  auto fields = reader.Take<CustomFields>();
  if (!reader.IsWhole()) return nullptr;
  try {
    return std::make_shared<CustomLayer>(std::move(fields.domain), std::move(fields.type),
                                         fields.version, std::move(fields.attributes),
                                         std::move(fields.outputs));
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

std::string CopyText(const char* text) {
  return text != nullptr ? text : "";
}

/// Describes the exception that is being caught.
ThrownText FindThrown() {
  try {
    throw;
  } catch (const plugin_call::SaidException& exception) {
    const plugin_call::SaidFailure& said = exception.GetSaid();
    const bool is_unavailable = said.status == Status::kUnavailable;
    return {is_unavailable ? ThrownText::Type::kUnavailable : ThrownText::Type::kException,
            said.reason, CopyText(said.text.c_str())};
  } catch (const BackendUnavailableException& exception) {
    return {ThrownText::Type::kUnavailable, exception.GetReason(), CopyText(exception.what())};
  } catch (const std::exception& exception) {
    return {ThrownText::Type::kException, UnavailabilityReason::kOther, CopyText(exception.what())};
  } catch (...) {
    return {};
  }
}

}  // namespace

bool IsShape(const TensorShape& shape) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 56U;
  if (shape.rank > kMaxRank) return false;
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape.dims[axis] < 0) return false;
    // Extents of 0 count as 1: other extents are multiplied before they come.
    const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.dims[axis], 1));
    if (extent > kMostElements / count) return false;
    count *= extent;
  }
  return true;
}

std::optional<DescriptorCopy> DescriptorCopy::Take(wire::Reader& reader, LayerType type) {
  DescriptorCopy copy;
  if (type == LayerType::kCustom) {
    copy.custom_ = TakeCustom(reader);
    if (!copy.custom_) return std::nullopt;
    return copy;
  }
  const std::string_view bytes = reader.TakeText();
  if (bytes.empty()) return copy;
  if (bytes.size() < sizeof(BaseDescriptor)) return std::nullopt;
  copy.storage_.resize((bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  std::memcpy(copy.storage_.data(), bytes.data(), bytes.size());
  if (copy.Get()->size_bytes != bytes.size()) return std::nullopt;
  return copy;
}

void VisitFields(wire::Writer& fields, LayerSource& layer) {
  const LayerView& view = layer.view;
  fields(view.layer_type, view.id);
  fields.PutText(view.name != nullptr ? view.name : "");
  PutDescriptor(fields, view.layer_type, view.descriptor);
  const auto put_each = [&](std::uint32_t count, const auto* values, const auto& get) {
    fields.Put(static_cast<std::uint64_t>(values != nullptr ? count : 0));
    for (std::uint32_t i = 0; values != nullptr && i < count; ++i) fields.Put(get(values[i]));
  };
  const auto point = [](const TensorInfo* info) -> auto& {
    return *info;
  };
  const auto itself = [](const auto& value) -> auto& {
    return value;
  };
  put_each(view.num_inputs, view.input_infos, point);
  put_each(view.num_outputs, view.output_infos, point);
  put_each(view.num_inputs, view.inputs, itself);
  put_each(view.num_inputs, layer.constants, itself);
}

void VisitFields(wire::Reader& fields, LayerRecord& layer) {
  fields(layer.type, layer.id, layer.name);
  auto descriptor = DescriptorCopy::Take(fields, layer.type);
  if (!fields.Require(descriptor.has_value())) return;
  layer.descriptor = std::move(*descriptor);
  fields(layer.inputs, layer.outputs, layer.slots, layer.constants);
  for (const TensorInfo& info : layer.inputs) layer.input_infos.push_back(&info);
  for (const TensorInfo& info : layer.outputs) layer.output_infos.push_back(&info);
}

LayerView LayerRecord::Show() const {
  LayerView view;
  view.layer_type = type;
  view.id = id;
  view.name = name.c_str();
  view.descriptor = descriptor.Get();
  view.inputs = slots.data();
  view.input_infos = input_infos.data();
  view.num_inputs = static_cast<std::uint32_t>(inputs.size());
  view.num_outputs = static_cast<std::uint32_t>(outputs.size());
  view.output_infos = output_infos.data();
  return view;
}

std::string DescribeThrown(std::size_t max_text_bytes) {
  ThrownText thrown = FindThrown();
  thrown.what.resize(std::min(thrown.what.size(), max_text_bytes));
  return wire::WriteFields(thrown);
}

void Rethrow(const ThrownText& thrown) {
  if (thrown.type == ThrownText::Type::kUnavailable) {
    throw BackendUnavailableException(thrown.what, thrown.reason);
  }
  if (thrown.type == ThrownText::Type::kException) throw std::runtime_error(thrown.what);
  throw NoException{};
}

}  // namespace backplane::serving
