#pragma once

#include "tensor_handle.hpp"

namespace memory_mock {

class TensorHandleFactory : public backplane::ITensorHandleFactory {
 public:
  TensorHandleFactory(const Kind& kind, ImportFailures failures)
      : kind_(kind), failures_(std::move(failures)) {}

  const char* GetId() const override { return kind_.id; }

  backplane::Status GetProperties(
      backplane::TensorHandleFactoryProperties* properties) const override {
    properties->layout = kind_.layout;
    properties->supports_sub_tensors = kind_.Has(kSubTensors) ? 1 : 0;
    properties->supports_map_unmap = kind_.Has(kMaps) ? 1 : 0;
    properties->supports_in_place = kind_.Has(kInPlace) ? 1 : 0;
    properties->import_sources = kind_.imports;
    properties->export_sources = kind_.exports;
    properties->owns_memory = kind_.storage == Storage::kOwn ? 1 : 0;
    properties->copies_within_backend = kind_.Has(kCopiesWithin) ? 1 : 0;
    if (kind_.Has(kCopiesMalloc)) {
      properties->copy_to_sources = ToFlags(backplane::MemorySource::kMalloc);
      properties->copy_from_sources = ToFlags(backplane::MemorySource::kMalloc);
    }
    return backplane::Status::kSuccess;
  }

  backplane::MemoryRequirements GetRequirements(
      const backplane::TensorRequirementsArgs& args) const override {
    const bool is_padded = kind_.Has(kDemands) && args.layer_type == backplane::LayerType::kConcat;
    return {GetSizeBytes(kind_, *args.info) + (is_padded ? 64 : 0), kind_.GetAlignmentBytes(), {}};
  }

  std::unique_ptr<backplane::ITensorHandle> CreateTensorHandle(
      const backplane::TensorHandleArgs& args) const override {
    return std::make_unique<TensorHandle>(kind_, *args.info, failures_);
  }

  std::unique_ptr<backplane::ITensorHandle> CreateSubTensorHandle(
      const backplane::SubTensorHandleArgs& args) const override {
    if (!kind_.Has(kSubTensors)) return nullptr;
    if (!GetLiveHandles().Contains(args.parent)) {
      throw std::invalid_argument("the parent is not a handle of this backend");
    }
    const auto& parent = static_cast<const TensorHandle&>(*args.parent);
    if (&parent.GetKind() != &kind_ || !LiesInside(parent.GetShape(), args)) {
      throw std::invalid_argument("the part does not lie inside the parent");
    }
    return std::make_unique<TensorHandle>(parent, *args.info, args.origin);
  }

 private:
  static bool LiesInside(const backplane::TensorShape& whole,
                         const backplane::SubTensorHandleArgs& args) {
    const backplane::TensorShape& part = args.info->shape;
    bool is_inside = part.rank == whole.rank;
    for (std::uint32_t axis = 0; is_inside && axis < part.rank; ++axis) {
      const std::int64_t begin = args.origin[axis];
      is_inside = begin >= 0 && part[axis] >= 0 && begin <= whole[axis] - part[axis];
    }
    return is_inside;
  }

  const Kind& kind_;
  const ImportFailures failures_;
};

}  // namespace memory_mock
