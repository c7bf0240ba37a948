#pragma once

/// Functions of the table for operators of a backend's own.

#include <backplane/api/custom_layer.hpp>
#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/objects.hpp>

#include <deque>
#include <memory>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

/// A declaration in C. Not copied: it points into itself and into what it was made from.
class COperator {
 public:
  explicit COperator(const OperatorDeclaration& from) {
    AddSlots(from.inputs, inputs_);
    AddSlots(from.outputs, outputs_);
    for (const OptionSchema& schema : from.attributes) {
      attributes_.push_back(&schemas_.emplace_back(ToC(schema, values_)));
    }
    operator_.flags = from.is_impure ? BP_OPERATOR_IMPURE : 0;
    operator_.domain = from.domain.c_str();
    operator_.type = from.type.c_str();
    operator_.text = from.text.c_str();
    operator_.version_from = from.version_from;
    operator_.version_to = from.version_to;
    operator_.inputs = inputs_.data();
    operator_.outputs = outputs_.data();
    operator_.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    operator_.num_outputs = static_cast<std::uint32_t>(outputs_.size());
    operator_.attributes = attributes_.data();
    operator_.num_attributes = static_cast<std::uint32_t>(attributes_.size());
  }
  COperator(const COperator&) = delete;
  COperator& operator=(const COperator&) = delete;

  const bp_operator* Get() const { return &operator_; }

 private:
  using Slots = std::vector<const bp_operator_slot*>;

  /// The host counts how many tensors they stand for.
  void AddSlots(const std::vector<OperatorSlot>& from, Slots& made) {
    static_assert(sizeof(DataType) == sizeof(std::uint32_t), "types are handed over as they are");
    for (const OperatorSlot& slot : from) {
      bp_operator_slot& one = slots_.emplace_back(Make<bp_operator_slot>());
      one.flags = slot.flags;
      one.name = slot.name.c_str();
      one.data_types = reinterpret_cast<const std::uint32_t*>(slot.data_types.data());
      one.num_data_types = static_cast<std::uint32_t>(slot.data_types.size());
      one.type_group = slot.type_group;
      made.push_back(&one);
    }
  }

  std::deque<bp_operator_slot> slots_;
  std::deque<bp_option_schema> schemas_;
  Slots inputs_, outputs_;
  std::vector<const bp_option_schema*> attributes_;
  CValues values_;
  bp_operator operator_ = Make<bp_operator>();
};

inline bp_status DescribeOperators(const IBackendInternal& backend, const bp_host* host,
                                   bp_sink* sink, bp_error* error) {
  bp_status status = BP_STATUS_SUCCESS;
  for (const OperatorDeclaration& one : backend.GetOperators()) {
    if (status != BP_STATUS_SUCCESS) break;
    status = host->add(sink, BP_ITEM_OPERATOR, COperator(one).Get(), error);
  }
  return status;
}

/// Tensors with their elements in C.
class CElements {
 public:
  explicit CElements(const std::vector<OperatorTensor>& tensors) {
    for (const OperatorTensor& tensor : tensors) {
      bp_constant& made = constants_.emplace_back(Make<bp_constant>());
      made.info = infos_.emplace_back(tensor.info).Get();
      made.data = tensor.bytes.data();
      made.num_bytes = tensor.bytes.size();
      pointers_.push_back(&made);
    }
  }
  const bp_constant* const* Get() const { return pointers_.data(); }
  std::uint32_t GetCount() const { return static_cast<std::uint32_t>(pointers_.size()); }

 private:
  std::deque<CInfo> infos_;
  std::deque<bp_constant> constants_;
  std::vector<const bp_constant*> pointers_;
};

inline bp_status DescribeOperatorCases(const IBackendInternal& backend, const bp_host* host,
                                       bp_sink* sink, bp_error* error) {
  bp_status status = BP_STATUS_SUCCESS;
  for (const OperatorCase& one : backend.GetOperatorCases()) {
    if (status != BP_STATUS_SUCCESS) break;
    const CustomLayer layer(one.domain, one.type, one.version, one.attributes, {});
    const CustomDescriptor& from = layer.Get();
    auto descriptor = Make<bp_custom_descriptor>();
    descriptor.version = from.version;
    descriptor.domain = from.domain;
    descriptor.type = from.type;
    descriptor.attributes = from.attributes;
    descriptor.num_attributes = from.num_attributes;
    const CElements inputs(one.inputs);
    const CElements outputs(one.outputs);
    auto made = Make<bp_operator_case>();
    made.name = one.name.c_str();
    made.layer = &descriptor;
    made.inputs = inputs.Get();
    made.outputs = outputs.Get();
    made.num_inputs = inputs.GetCount();
    made.num_outputs = outputs.GetCount();
    made.tolerance = one.tolerance;
    status = host->add(sink, BP_ITEM_OPERATOR_CASE, &made, error);
  }
  return status;
}

inline bp_status Infer(bp_instance* /*instance*/, const bp_layer_args* given, bp_sink* sink,
                       bp_error* error) noexcept {
  const bp_host* const host = given->scope->host;
  return Guard(host, error, [&] {
    const Scope scope(given->scope);
    const bp_layer layer = Copy(*given->layer);
    const Infos inputs(layer.inputs, layer.num_inputs);
    const Constants constants(layer);
    const auto descriptor =
        CopyDescriptor<CustomDescriptor>(*static_cast<const BaseDescriptor*>(layer.descriptor));
    InferArgs args;
    args.descriptor = &descriptor;
    args.inputs = inputs.Get();
    args.num_inputs = layer.num_inputs;
    args.num_outputs = layer.num_outputs;
    args.constants = constants.Get();
    bp_status status = BP_STATUS_SUCCESS;
    for (const TensorInfo& info : scope.GetBackend().InferOutputs(args)) {
      const CInfo made(info);
      if (status == BP_STATUS_SUCCESS) {
        status = host->add(sink, BP_ITEM_TENSOR_INFO, made.Get(), error);
      }
    }
    return ToStatus(status);
  });
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
