#pragma once

/// Values of the C++ headers as those of backend.h, and the other way round. Both sides of the
/// boundary compile this into themselves.
///
/// What is made for C points into what it was made from, which must outlive it.

#include <backplane/c/backend.h>
#include <backplane/api/c_memory.hpp>
#include <backplane/api/c_options.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::c_form {

// ---- Tensors

inline TensorShape ToShape(const std::int64_t* dims, std::uint32_t rank) {
  if (rank > kMaxRank) {
    throw std::invalid_argument("a tensor has the rank " + ToWord(rank) + "; up to " +
                                ToWord(kMaxRank) + " is possible");
  }
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(dims[axis]);
  return shape;
}

/// A TensorInfo in C. Not copied: it points into itself.
class CInfo {
 public:
  explicit CInfo(const TensorInfo& info) {
    Describe(info.shape.dims, info.shape.rank, info.data_type, info_);
    const QuantizationInfo& from = info.quantization;
    if (!from.IsQuantized()) return;
    count_ = static_cast<std::int64_t>(from.scales.size());
    Describe(&count_, 1, DataType::kFloat32, scale_info_);
    FillConstant(scale_info_, from.scales.data(), from.scales.size(), scales_);
    quantization_ = Make<bp_quantization>();
    quantization_.kind = from.IsPerAxis() ? BP_QUANTIZATION_PER_AXIS : BP_QUANTIZATION_PER_TENSOR;
    quantization_.axis = static_cast<std::uint32_t>(from.axis);
    quantization_.scales = &scales_;
    if (!from.zero_points.empty()) {
      Describe(&count_, 1, DataType::kInt32, zero_point_info_);
      FillConstant(zero_point_info_, from.zero_points.data(), from.zero_points.size(),
                   zero_points_);
      quantization_.zero_points = &zero_points_;
    }
    info_.quantization = &quantization_;
  }
  CInfo(const CInfo&) = delete;
  CInfo& operator=(const CInfo&) = delete;

  const bp_tensor_info* Get() const { return &info_; }

 private:
  static void Describe(const std::int64_t* dims, std::uint32_t rank, DataType type,
                       bp_tensor_info& info) {
    info = Make<bp_tensor_info>();
    info.data_type = static_cast<std::uint32_t>(type);
    info.rank = rank;
    info.dims = dims;
  }
  static void FillConstant(const bp_tensor_info& info, const void* data, std::size_t count,
                           bp_constant& constant) {
    constant = Make<bp_constant>();
    constant.info = &info;
    constant.data = data;
    constant.num_bytes = count * 4;
  }

  bp_tensor_info info_{}, scale_info_{}, zero_point_info_{};
  bp_constant scales_{}, zero_points_{};
  bp_quantization quantization_{};
  std::int64_t count_ = 0;
};

template <typename Element>
std::vector<Element> ReadElements(const bp_constant& constant, DataType type, const char* what) {
  const bp_constant from = Copy(constant);
  const bool is_right = from.info != nullptr && ToEnum<DataType>(from.info->data_type) == type;
  if (!is_right || from.num_bytes % sizeof(Element) != 0) {
    throw std::invalid_argument(std::string(what) + " of a tensor are not of the type " +
                                GetDataTypeName(type));
  }
  const auto* begin = static_cast<const Element*>(from.data);
  return {begin, begin + from.num_bytes / sizeof(Element)};
}

inline QuantizationInfo ToQuantization(const bp_quantization& given) {
  const bp_quantization from = Copy(given);
  if (from.kind != BP_QUANTIZATION_PER_TENSOR && from.kind != BP_QUANTIZATION_PER_AXIS) {
    throw std::invalid_argument("a tensor is quantised in the way " + ToWord(from.kind) +
                                "; 1 (the whole tensor) and 2 (along an axis) are possible");
  }
  QuantizationInfo made;
  if (from.scales == nullptr) throw std::invalid_argument("a quantised tensor has no scales");
  made.scales = ReadElements<float>(*from.scales, DataType::kFloat32, "the scales");
  if (from.zero_points != nullptr) {
    made.zero_points =
        ReadElements<std::int32_t>(*from.zero_points, DataType::kInt32, "the zero points");
  }
  made.axis = static_cast<std::int32_t>(from.axis);
  return made;
}

inline TensorInfo ToInfo(const bp_tensor_info& given) {
  const bp_tensor_info from = Copy(given);
  if (from.storage != BP_STORAGE_PADDED) {
    throw std::invalid_argument("the elements of a tensor are stored in the way " +
                                ToWord(from.storage) + "; only 0 (padded) is possible");
  }
  TensorInfo made(ToShape(from.dims, from.rank), ToEnum<DataType>(from.data_type));
  if (from.quantization != nullptr) made.quantization = ToQuantization(*from.quantization);
  return made;
}

/// Several of them in C.
class CInfos {
 public:
  CInfos(const TensorInfo* const* infos, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      pointers_.push_back(infos[i] != nullptr ? infos_.emplace_back(*infos[i]).Get() : nullptr);
    }
  }
  const bp_tensor_info* const* Get() const { return pointers_.data(); }
  std::uint32_t GetCount() const { return static_cast<std::uint32_t>(pointers_.size()); }

 private:
  std::deque<CInfo> infos_;
  std::vector<const bp_tensor_info*> pointers_;
};

/// Several of them from C.
class Infos {
 public:
  Infos(const bp_tensor_info* const* infos, std::uint32_t count) {
    for (std::uint32_t i = 0; infos != nullptr && i < count; ++i) {
      const bool is_there = infos[i] != nullptr;
      pointers_.push_back(is_there ? &infos_.emplace_back(ToInfo(*infos[i])) : nullptr);
    }
  }
  const TensorInfo* const* Get() const { return pointers_.data(); }
  std::uint32_t GetCount() const { return static_cast<std::uint32_t>(pointers_.size()); }

 private:
  std::deque<TensorInfo> infos_;
  std::vector<const TensorInfo*> pointers_;
};

// ---- Layers

/// The constants of a layer in C; `source` gives what the host knows of each.
class CConstants {
 public:
  /// Null: `constants`, for none; an entry, for an input that is no constant.
  CConstants(const ConstTensor* const* constants, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const ConstTensor* const from = constants != nullptr ? constants[i] : nullptr;
      pointers_.push_back(from != nullptr ? &Add(*from) : nullptr);
    }
  }
  const bp_constant* const* Get() const { return pointers_.data(); }
  /// Null: the input is no constant.
  bp_constant* Find(std::uint32_t input) { return pointers_[input]; }

 private:
  bp_constant& Add(const ConstTensor& from) {
    bp_constant& made = constants_.emplace_back(Make<bp_constant>());
    made.info = infos_.emplace_back(from.info).Get();
    made.data = from.data;
    made.num_bytes = from.info.GetSizeBytes();
    made.identity[0] = from.identity[0];
    made.identity[1] = from.identity[1];
    return made;
  }

  std::deque<CInfo> infos_;
  std::deque<bp_constant> constants_;
  std::vector<bp_constant*> pointers_;
};

/// The constants of a layer from C.
class Constants {
 public:
  explicit Constants(const bp_layer& layer) {
    for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
      const bp_constant* const from = layer.constants != nullptr ? layer.constants[i] : nullptr;
      if (from == nullptr) {
        pointers_.push_back(nullptr);
        continue;
      }
      ConstTensor& made = constants_.emplace_back();
      const bp_tensor_info* const info = from->info != nullptr ? from->info : layer.inputs[i];
      if (info != nullptr) made.info = ToInfo(*info);
      made.data = from->data;
      made.identity[0] = from->identity[0];
      made.identity[1] = from->identity[1];
      pointers_.push_back(&made);
    }
  }
  const ConstTensor* const* Get() const { return pointers_.data(); }

 private:
  std::deque<ConstTensor> constants_;
  std::vector<const ConstTensor*> pointers_;
};

/// A slot is the same bytes on both sides.
static_assert(sizeof(OutputSlot) == sizeof(bp_slot), "slots are handed over as they are");
inline const bp_slot* ToC(const OutputSlot* slots) {
  return reinterpret_cast<const bp_slot*>(slots);
}
inline const OutputSlot* ToSlots(const bp_slot* slots) {
  return reinterpret_cast<const OutputSlot*>(slots);
}

inline bp_part ToC(const SubgraphView& view) {
  auto part = Make<bp_part>();
  part.layers = view.layers.data();
  part.num_layers = static_cast<std::uint32_t>(view.layers.size());
  part.inputs = ToC(view.inputs.data());
  part.num_inputs = static_cast<std::uint32_t>(view.inputs.size());
  part.outputs = ToC(view.outputs.data());
  part.num_outputs = static_cast<std::uint32_t>(view.outputs.size());
  return part;
}

inline SubgraphView ToPart(const bp_part& given) {
  const bp_part from = Copy(given);
  SubgraphView view;
  view.layers.assign(from.layers, from.layers + from.num_layers);
  const OutputSlot* const inputs = ToSlots(from.inputs);
  const OutputSlot* const outputs = ToSlots(from.outputs);
  view.inputs.assign(inputs, inputs + from.num_inputs);
  view.outputs.assign(outputs, outputs + from.num_outputs);
  return view;
}

}  // namespace backplane::c_form
