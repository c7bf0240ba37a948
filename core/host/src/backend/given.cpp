#include "backend/given.hpp"

namespace backplane::backend {
namespace {

void RequireValue(const bp_value& value, const char* what) {
  constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 20U;
  if (value.is_list == 0 && value.count != 1) {
    throw std::invalid_argument(std::string(what) + " is no list and has " +
                                std::to_string(value.count) + " elements; expected 1");
  }
  RequireList(value.data, value.count, what);
  if (value.type != BP_VALUE_TEXT) return;
  const auto* const texts = static_cast<const bp_text*>(value.data);
  for (std::uint64_t i = 0; i < value.count; ++i) {
    RequireList(texts[i].data, texts[i].length, "a text", kMostTextBytes);
  }
}

void RequireElements(const bp_constant& given, std::uint64_t count, const char* what) {
  const bp_constant constant = Read(given);
  if (constant.data != nullptr && constant.num_bytes == 4 * count) return;
  throw std::invalid_argument(
      std::string("a quantised tensor has ") +
      (constant.data != nullptr ? std::to_string(constant.num_bytes) : "no") + " bytes of " + what +
      "; expected " + std::to_string(4 * count));
}

void RequireQuantization(const bp_quantization& given, const bp_tensor_info& info) {
  const bp_quantization from = Read(given);
  std::uint64_t count = 1;
  if (from.kind == BP_QUANTIZATION_PER_AXIS) {
    if (from.axis >= info.rank || info.dims[from.axis] < 0) {
      throw std::invalid_argument("a tensor of rank " + std::to_string(info.rank) +
                                  " is quantised along axis " + std::to_string(from.axis) +
                                  "; expected an axis of a known extent");
    }
    count = static_cast<std::uint64_t>(info.dims[from.axis]);
  }
  if (from.scales != nullptr) RequireElements(*from.scales, count, "scales");
  if (from.zero_points != nullptr) RequireElements(*from.zero_points, count, "zero points");
}

}  // namespace

void RequireList(const void* list, std::uint64_t count, const char* what, std::uint64_t most) {
  if (count <= most && (count == 0 || list != nullptr)) return;
  const std::string found = std::string(what) + " has " + std::to_string(count) + " entries";
  if (count > most) {
    throw std::invalid_argument(found + "; up to " + std::to_string(most) + " are possible");
  }
  throw std::invalid_argument(found + " and is null; expected a pointer to them");
}

void RequireWhole(std::uint64_t size_bytes, std::size_t alignment) {
  if (size_bytes % alignment == 0) return;
  throw std::invalid_argument("the size_bytes of a struct is " + std::to_string(size_bytes) +
                              ", which ends within a field; expected a multiple of " +
                              std::to_string(alignment));
}

BackendOption ReadOption(const bp_named_value& given) {
  RequireValue(given.value, "a value");
  return c_form::ToOption(given);
}

OptionSchema ReadSchema(const bp_option_schema& given) {
  const bp_option_schema from = Read(given);
  for (const bp_value* const value : {from.initial, from.least, from.greatest}) {
    if (value != nullptr) RequireValue(*value, "a value of an option");
  }
  if (from.allowed != nullptr) {
    RequireValue(*from.allowed, "the list of allowed values of an option");
    if (from.allowed->type != BP_VALUE_TEXT) {
      throw std::invalid_argument("the allowed values of an option are of type " +
                                  std::to_string(from.allowed->type) + "; expected texts (4)");
    }
  }
  return c_form::ToSchema(from);
}

TensorInfo ReadInfo(const bp_tensor_info& given) {
  const bp_tensor_info from = Read(given);
  RequireList(from.dims, from.rank, "the shape of a tensor", kMaxRank);
  if (from.quantization != nullptr) RequireQuantization(*from.quantization, from);
  return c_form::ToInfo(from);
}

void RequireCustom(const bp_custom_descriptor& given) {
  RequireWhole(given.size_bytes, alignof(bp_custom_descriptor));
  const bp_custom_descriptor from = c_form::CopyKnown(given);
  if (from.domain == nullptr || from.type == nullptr) {
    throw std::invalid_argument("a custom layer has no domain or no type; expected both");
  }
  RequireList(from.attributes, from.num_attributes, "the list of attributes of a layer");
  for (std::uint32_t i = 0; i < from.num_attributes; ++i) {
    if (from.attributes[i].name == nullptr) {
      throw std::invalid_argument("an attribute of a layer has no name");
    }
    RequireValue(from.attributes[i].value, "an attribute of a layer");
  }
}

SubgraphView ReadPart(const bp_part& given, std::uint64_t most) {
  const bp_part from = Read(given);
  RequireList(from.layers, from.num_layers, "the list of layers of a part", most);
  RequireList(from.inputs, from.num_inputs, "the list of inputs of a part", most);
  RequireList(from.outputs, from.num_outputs, "the list of outputs of a part", most);
  return c_form::ToPart(from);
}

Infos::Infos(const bp_layer& layer, std::uint64_t most) {
  RequireList(layer.outputs, layer.num_outputs, "the list of outputs of a layer", most);
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    if (layer.outputs[i] == nullptr) {
      throw std::invalid_argument("output " + std::to_string(i) +
                                  " of a layer is null; expected what tensor it is");
    }
    pointers_.push_back(&infos_.emplace_back(ReadInfo(*layer.outputs[i])));
  }
}

}  // namespace backplane::backend
