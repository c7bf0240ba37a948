#pragma once

/// Tensors between parts of a network that CpuAcc runs, in the layout that convolutions want.

#include "layout/layout.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

constexpr char kBlockedFactoryId[] = "Backplane/CpuAcc/Blocked";

/// The layout of every tensor of that factory: blocks of as many channels as fill a vector of this
/// processor, for float32 images and volumes whose channels fill blocks; else plain. Takes as many
/// bytes as a plain one.
Layout GetBlockedLayout(const TensorInfo& info);

/// Opaque tensors in memory that the core allocates.
class BlockedTensorHandleFactory final : public ITensorHandleFactory {
 public:
  ~BlockedTensorHandleFactory() noexcept override = default;

  const char* GetId() const override { return kBlockedFactoryId; }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override;
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override;
  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override;
  /// Parts do not lie together.
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const override;
};

}  // namespace cpuacc
}  // namespace backplane
