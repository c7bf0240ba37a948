#pragma once

/// How those structs of the Backend API are written into messages that point to others, and how
/// they are read. What is read is owned by the reader's side.

#include "serving/api_fields.hpp"

#include <backplane/api/custom_layer.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::serving {

/// A descriptor of a layer type, in memory of its own.
class DescriptorCopy {
 public:
  DescriptorCopy() = default;
  const BaseDescriptor* Get() const {
    return custom_ ? &custom_->Get() : reinterpret_cast<const BaseDescriptor*>(storage_.data());
  }
  bool IsEmpty() const { return storage_.empty() && !custom_; }

  /// An empty copy where there was none. Nothing: what is there is no descriptor.
  static std::optional<DescriptorCopy> Take(wire::Reader& reader, LayerType type);

 private:
  std::vector<std::uint64_t> storage_;
  std::shared_ptr<const CustomLayer> custom_;  // of a custom layer, whose descriptor has pointers
};

/// The content of a constant, in an area that both sides have.
struct ConstantPlace {
  TensorInfo info;
  std::uint64_t area = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t identity[2] = {};
};

template <typename Fields>
void VisitFields(Fields& fields, ConstantPlace& constant) {
  fields(constant.info, constant.area, constant.offset_bytes, constant.identity[0],
         constant.identity[1]);
}

/// One layer, as workloads, questions and sub-graphs describe it.
struct LayerRecord {
  /// Shows it as the Backend API does, without constants. Valid as long as this stays in place.
  LayerView Show() const;

  LayerType type = LayerType::kUndefined;
  LayerId id = 0;
  std::string name;
  DescriptorCopy descriptor;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  std::vector<OutputSlot> slots;                        // of sub-graphs: what each input reads
  std::vector<std::optional<ConstantPlace>> constants;  // for each input
  std::vector<const TensorInfo*> input_infos;           // to each of the inputs
  std::vector<const TensorInfo*> output_infos;          // and of the outputs
};

/// Its numbers may not fit each other.
void VisitFields(wire::Reader& fields, LayerRecord& layer);

/// A layer before it is written; it is read as a LayerRecord. Null: it has no constants.
struct LayerSource {
  LayerView view;
  const std::optional<ConstantPlace>* constants = nullptr;
};

void VisitFields(wire::Writer& fields, LayerSource& layer);

/// Shows the layer of a question, or of a workload that is wanted.
template <typename Args>
LayerView ShowLayer(const Args& args) {
  LayerView view;
  view.layer_type = args.layer_type;
  view.name = args.layer_name;
  view.descriptor = args.descriptor;
  view.input_infos = args.inputs;
  view.num_inputs = args.num_inputs;
  view.num_outputs = args.num_outputs;
  view.output_infos = args.outputs;
  return view;
}

/// Makes the arguments of such a question, or workload.
template <typename Args>
Args MakeLayerArgs(const LayerView& view) {
  Args args;
  args.layer_type = view.layer_type;
  args.layer_name = view.name;
  args.descriptor = view.descriptor;
  args.inputs = view.input_infos;
  args.num_inputs = view.num_inputs;
  args.num_outputs = view.num_outputs;
  args.outputs = view.output_infos;
  return args;
}

/// A workload of a lane, in the order of their numbers there.
struct LaneWorkload {
  std::uint64_t id = 0;  // 0: it was destroyed before
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
};

template <typename Fields>
void VisitFields(Fields& fields, LaneWorkload& workload) {
  fields(workload.id, workload.num_inputs, workload.num_outputs);
}

/// Arguments that calls of the Backend API have in common. Numbers are those of objects; 0: none.
struct CallParts {
  std::uint64_t context = 0;
  std::uint64_t model_context = 0;
  BackendOptions options;
};

template <typename Fields>
void VisitFields(Fields& fields, CallParts& parts) {
  fields(parts.context, parts.model_context, parts.options);
}

/// A view as the other side can use it: the address by its place in an area. A file goes beside.
struct PlacedView {
  MemoryView view;
  std::uint64_t area = 0;  // 0: it has no address
  std::uint64_t offset_bytes = 0;
};

template <typename Fields>
void VisitFields(Fields& fields, PlacedView& placed) {
  fields(placed.view, placed.area, placed.offset_bytes);
}

/// Clears the fields of a view that mean nothing in another process.
inline MemoryView WithoutAddress(MemoryView view) {
  view.data = nullptr;
  view.file_descriptor = -1;
  return view;
}

/// An exception of a plugin.
struct ThrownText {
  enum class Type : std::uint32_t { kOther, kUnavailable, kException };
  Type type = Type::kOther;
  UnavailabilityReason reason = UnavailabilityReason::kOther;
  std::string what;
};

template <typename Fields>
void VisitFields(Fields& fields, ThrownText& thrown) {
  fields(thrown.type, thrown.reason, thrown.what);
}

constexpr std::size_t kMaxThrownBytes = std::size_t{64} << 20U;
/// Describes the exception that a catch clause handles, with this much of its text.
std::string DescribeThrown(std::size_t max_text_bytes = kMaxThrownBytes);
/// Throws what was described, on the other side.
[[noreturn]] void Rethrow(const ThrownText& thrown);

}  // namespace backplane::serving
