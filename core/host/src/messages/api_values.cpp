#include "messages/api_values.hpp"

#include <backplane/host/plugin_object.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace backplane::messages {
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
  wire::PutFields(writer, fields);
}

/// Null: what is there is none.
std::shared_ptr<const CustomLayer> TakeCustom(wire::Reader& reader) {
  auto fields = wire::TakeFields<CustomFields>(reader);
  if (!reader.IsWhole()) return nullptr;
  try {
    return std::make_shared<CustomLayer>(std::move(fields.domain), std::move(fields.type),
                                         fields.version, std::move(fields.attributes),
                                         std::move(fields.outputs));
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

}  // namespace

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

void DescriptorCopy::Put(wire::Writer& writer, LayerType type, const BaseDescriptor* descriptor) {
  if (type == LayerType::kCustom && descriptor != nullptr) {
    PutCustom(writer, static_cast<const CustomDescriptor&>(*descriptor));
  } else if (descriptor == nullptr || descriptor->size_bytes < sizeof(BaseDescriptor)) {
    writer.PutText({});
  } else {
    writer.PutBytes(descriptor, descriptor->size_bytes);
  }
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

void Put(wire::Writer& writer, const LayerSource& layer) {
  writer.Put(layer.type).Put(layer.id).PutText(layer.name != nullptr ? layer.name : "");
  DescriptorCopy::Put(writer, layer.type, layer.descriptor);
  const auto put_each = [&](bool is_there, std::uint32_t count, const auto& get) {
    writer.Put(static_cast<std::uint64_t>(is_there ? count : 0));
    for (std::uint32_t i = 0; is_there && i < count; ++i) wire::PutFields(writer, get(i));
  };
  const std::uint32_t num_inputs = layer.num_inputs;
  put_each(
      layer.inputs != nullptr, num_inputs, [&](auto i) -> auto& { return *layer.inputs[i]; });
  put_each(
      true, layer.num_outputs, [&](auto i) -> auto& { return *layer.outputs[i]; });
  put_each(
      layer.slots != nullptr, num_inputs, [&](auto i) -> auto& { return layer.slots[i]; });
  put_each(
      layer.constants != nullptr,
      num_inputs, [&](auto i) -> auto& { return (*layer.constants)[i]; });
}

std::optional<LayerRecord> TakeLayer(wire::Reader& reader) {
  LayerRecord layer;
  reader(layer.type, layer.id, layer.name);
  auto descriptor = DescriptorCopy::Take(reader, layer.type);
  if (!descriptor) return std::nullopt;
  layer.descriptor = std::move(*descriptor);
  reader(layer.inputs, layer.outputs, layer.slots, layer.constants);
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
  } catch (const plugin_call::SaidException& exception) {
    const plugin_call::SaidFailure& said = exception.GetSaid();
    const bool is_unavailable = said.status == Status::kUnavailable;
    describe(is_unavailable ? ThrownText::Type::kUnavailable : ThrownText::Type::kException,
             said.reason, said.text.c_str());
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
