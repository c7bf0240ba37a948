#pragma once

/// Operators of a backend's own: how it declares them, and how a layer of one is described.

#include <backplane/api/c_options.hpp>
#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptors/custom.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// One attribute of a layer: a value, or a list of values of one type.
struct OperatorAttribute {
  OperatorAttribute() = default;
  OperatorAttribute(std::string attribute_name, OptionValue value)
      : name(std::move(attribute_name)), values{std::move(value)} {}
  OperatorAttribute(std::string attribute_name, std::vector<OptionValue> list)
      : name(std::move(attribute_name)), values(std::move(list)), is_list(true) {}

  std::string name;
  std::vector<OptionValue> values;  // one, unless it is a list
  bool is_list = false;
};

inline bool operator==(const OperatorAttribute& a, const OperatorAttribute& b) {
  return a.name == b.name && a.is_list == b.is_list && a.values == b.values;
}

/// The attributes of a layer.
/// Errors: std::invalid_argument for a list that is null, for an attribute without a name, and for
/// one of a type that options do not have.
inline std::vector<OperatorAttribute> GetAttributes(const CustomDescriptor& descriptor) {
  if (descriptor.attributes == nullptr && descriptor.num_attributes > 0) {
    throw std::invalid_argument("attributes is null and num_attributes is " +
                                std::to_string(descriptor.num_attributes));
  }
  std::vector<OperatorAttribute> attributes;
  for (std::uint32_t i = 0; i < descriptor.num_attributes; ++i) {
    const bp_named_value& from = descriptor.attributes[i];
    if (from.name == nullptr) throw std::invalid_argument("an attribute has no name");
    OperatorAttribute& made = attributes.emplace_back();
    made.name = from.name;
    made.is_list = from.value.is_list != 0;
    made.values = c_form::ToValues(from.value);
  }
  return attributes;
}

/// The value of an attribute that is no list; `initial` where the layer does not state it.
/// Errors: as GetAttributes.
inline OptionValue GetAttribute(const CustomDescriptor& descriptor, const std::string& name,
                                OptionValue initial) {
  for (const OperatorAttribute& attribute : GetAttributes(descriptor)) {
    if (attribute.name == name && !attribute.is_list) return attribute.values.front();
  }
  return initial;
}

/// A custom descriptor with all that it points to. Not copied: it points into itself.
class CustomLayer {
 public:
  CustomLayer(std::string domain, std::string type, std::uint32_t version,
              std::vector<OperatorAttribute> attributes, std::vector<TensorInfo> outputs)
      : domain_(std::move(domain)),
        type_(std::move(type)),
        attributes_(std::move(attributes)),
        outputs_(std::move(outputs)) {
    for (const OperatorAttribute& attribute : attributes_) {
      const bp_value value = attribute.is_list ? values_.AddList(attribute.values)
                                               : values_.Add(attribute.values.at(0));
      named_.push_back({attribute.name.c_str(), value});
    }
    descriptor_.version = version;
    descriptor_.domain = domain_.c_str();
    descriptor_.type = type_.c_str();
    descriptor_.attributes = named_.data();
    descriptor_.num_attributes = static_cast<std::uint32_t>(named_.size());
    descriptor_.outputs = outputs_.data();
    descriptor_.num_outputs = static_cast<std::uint32_t>(outputs_.size());
  }
  /// A copy. Null: the domain and the type, for "".
  /// Errors: as GetAttributes.
  explicit CustomLayer(const CustomDescriptor& from)
      : CustomLayer(from.domain != nullptr ? from.domain : "",
                    from.type != nullptr ? from.type : "", from.version,
                    backplane::GetAttributes(from),
                    {from.outputs, from.outputs + from.num_outputs}) {}
  CustomLayer(const CustomLayer&) = delete;
  CustomLayer& operator=(const CustomLayer&) = delete;

  const CustomDescriptor& Get() const { return descriptor_; }
  const std::vector<OperatorAttribute>& GetAttributes() const { return attributes_; }
  const std::vector<TensorInfo>& GetOutputs() const { return outputs_; }

 private:
  std::string domain_;
  std::string type_;
  std::vector<OperatorAttribute> attributes_;
  std::vector<TensorInfo> outputs_;
  c_form::CValues values_;
  std::vector<bp_named_value> named_;
  CustomDescriptor descriptor_;
};

/// One input or output of an operator.
struct OperatorSlot {
  std::string name;
  std::vector<DataType> data_types;  // allowed
  std::uint32_t flags = 0;           // BP_SLOT_...
  std::uint32_t type_group = 0;      // slots of one group have one type; 0: no group
};

/// An operator that a backend declares. Only the last input and the last output may be variadic.
struct OperatorDeclaration {
  std::string domain;  // printable ASCII, not empty
  std::string type;    // the same
  std::string text;    // one sentence for users
  std::uint32_t version_from = 1;
  std::uint32_t version_to = 1;  // inclusive
  bool is_impure = false;        // equal inputs may give other outputs
  std::vector<OperatorSlot> inputs;
  std::vector<OperatorSlot> outputs;
  std::vector<OptionSchema> attributes;  // those without a range or list have any value
};

/// A tensor with its elements, dense.
struct OperatorTensor {
  TensorInfo info;
  std::vector<unsigned char> bytes;
};

/// A layer of such an operator with inputs and the outputs that are right.
struct OperatorCase {
  std::string name;
  std::string domain;
  std::string type;
  std::uint32_t version = 1;
  std::vector<OperatorAttribute> attributes;
  std::vector<OperatorTensor> inputs;
  std::vector<OperatorTensor> outputs;
  double tolerance = 0;  // each element may differ by this and by this part of its value
};

/// A layer of such an operator, of which the outputs are asked for. Borrowed for the call.
struct InferArgs {
  const CustomDescriptor* descriptor = nullptr;
  const TensorInfo* const* inputs = nullptr;  // an entry is null where an optional one is left out
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  const ConstTensor* const* constants = nullptr;  // for each input; null: not known
};

}  // namespace backplane
