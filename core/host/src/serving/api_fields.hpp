#pragma once

/// The fields of the Backend API's structs, as wire/fields.hpp wants them. What a plugin says of
/// its options is taken as it is, and looked at elsewhere.

#include "wire/fields.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <type_traits>
#include <vector>

namespace backplane::wire {

template <>
inline constexpr bool kIsPlain<TensorShape> = true;
template <>
inline constexpr bool kIsPlain<OutputSlot> = true;
template <>
inline constexpr bool kIsPlain<ExtentChange> = true;
template <>
inline constexpr bool kIsPlain<MemoryView> = true;
template <>
inline constexpr bool kIsPlain<MemoryRequirements> = true;
template <>
inline constexpr bool kIsPlain<TensorHandleFactoryProperties> = true;

}  // namespace backplane::wire

namespace backplane::serving {

/// Whether the size of the shape can be computed.
bool IsShape(const TensorShape& shape);

}  // namespace backplane::serving

namespace backplane {

template <typename Fields, typename Element>
void VisitFields(Fields& fields, SharedVector<Element>& shared) {
  std::vector<Element> elements(shared.begin(), shared.end());
  fields(elements);
  if constexpr (std::is_same_v<Fields, wire::Reader>) shared = std::move(elements);
}

template <typename Fields>
void VisitFields(Fields& fields, TensorInfo& info) {
  fields(info.shape, info.data_type, info.quantization.scales, info.quantization.zero_points,
         info.quantization.axis);
  if (!fields.Require(serving::IsShape(info.shape))) info.shape = {};
}

template <typename Fields>
void VisitFields(Fields& fields, OptionValue& value) {
  fields(value.type, value.int_value, value.float_value, value.string_value);
}

/// An option, or a capability.
template <typename Fields>
void VisitFields(Fields& fields, BackendOption& option) {
  fields(option.name, option.value);
}

template <typename Fields>
void VisitFields(Fields& fields, BackendOptions& options) {
  fields(options.backend_id, options.options);
}

template <typename Fields>
void VisitFields(Fields& fields, NetworkEvent& event) {
  fields(event.kind, event.network_id, event.outcome);
}

template <typename Fields>
void VisitFields(Fields& fields, OperatorAttribute& attribute) {
  fields(attribute.name, attribute.values, attribute.is_list);
  fields.Require(attribute.is_list || attribute.values.size() == 1);
}

template <typename Fields>
void VisitFields(Fields& fields, OptionSchema& schema) {
  fields(schema.name, schema.type, schema.is_list, schema.places, schema.default_value,
         schema.has_range, schema.minimum, schema.maximum, schema.allowed_strings, schema.text);
}

template <typename Fields>
void VisitFields(Fields& fields, SubgraphView& view) {
  fields(view.layers, view.inputs, view.outputs);
}

template <typename Fields>
void VisitFields(Fields& fields, SubgraphSubstitution& substitution) {
  fields(substitution.original, substitution.replacement);
}

template <typename Fields>
void VisitFields(Fields& fields, OptimizationViews& views) {
  fields(views.substitutions, views.failed, views.untouched, views.deleted);
}

template <typename Fields>
void VisitFields(Fields& fields, TimelineEvent& event) {
  fields(event.name, event.lane, event.begin_ns, event.end_ns);
}

template <typename Fields>
void VisitFields(Fields& fields, CounterDescription& counter) {
  fields(counter.id, counter.name, counter.unit, counter.text);
}

}  // namespace backplane
