#pragma once

/// Layers to plan, which own what PlannedLayer borrows.

#include "plan/layer.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl_test {

class OwnedLayer {
 public:
  template <typename LayerDescriptor>
  OwnedLayer(LayerType type, const LayerDescriptor& descriptor,
             const std::vector<TensorShape>& inputs, const TensorShape& output,
             DataType data_type = DataType::kFloat32)
      : descriptor_(std::make_shared<LayerDescriptor>(descriptor)),
        output_(output, data_type),
        outputs_{&output_},
        is_constant_(inputs.size(), 0),
        constants_(inputs.size(), nullptr) {
    for (const TensorShape& shape : inputs) infos_.emplace_back(shape, data_type);
    for (const TensorInfo& info : infos_) inputs_.push_back(&info);
    layer_.type = type;
    layer_.descriptor = descriptor_.get();
    layer_.inputs = inputs_.data();
    layer_.outputs = outputs_.data();
    layer_.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    layer_.num_outputs = 1;
    layer_.is_constant = is_constant_.data();
    layer_.constants = constants_.data();
  }
  OwnedLayer(const OwnedLayer&) = delete;
  OwnedLayer& operator=(const OwnedLayer&) = delete;

  /// For float32.
  void SetConstant(std::size_t input, std::vector<float> elements) {
    elements_.push_back(std::move(elements));
    contents_.push_back(std::make_unique<ConstTensor>());
    contents_.back()->info = infos_[input];
    contents_.back()->data = elements_.back().data();
    is_constant_[input] = 1;
    constants_[input] = contents_.back().get();
  }

  opencl::PlannedLayer& Get() { return layer_; }

 private:
  std::shared_ptr<BaseDescriptor> descriptor_;
  std::vector<TensorInfo> infos_;
  std::vector<const TensorInfo*> inputs_;
  TensorInfo output_;
  std::vector<const TensorInfo*> outputs_;
  std::vector<std::uint8_t> is_constant_;
  std::vector<const ConstTensor*> constants_;
  std::vector<std::vector<float>> elements_;
  std::vector<std::unique_ptr<ConstTensor>> contents_;
  opencl::PlannedLayer layer_;
};

/// A CPU with two compute units.
inline opencl::DeviceLimits MakeCpuLimits() {
  opencl::DeviceLimits limits;
  limits.is_cpu = true;
  limits.num_compute_units = 2;
  limits.local_memory_bytes = std::uint64_t{1} << 21U;
  limits.max_work_group_size = 4096;
  return limits;
}

}  // namespace opencl_test
}  // namespace backplane
