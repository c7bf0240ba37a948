#include "layout/blocked_tensors.hpp"

#include "layout/channel_blocks.hpp"
#include "memory/aligned_memory.hpp"

namespace backplane {
namespace cpuacc {
namespace {

/// Bound to memory that the CPU addresses, of which nobody else knows the order.
class BlockedTensorHandle final : public ITensorHandle {
 public:
  explicit BlockedTensorHandle(const TensorInfo& info) {
    view_.source = MemorySource::kMalloc;
    view_.size_bytes = info.GetSizeBytes();
    view_.data_type = info.data_type;
    view_.layout = TensorLayout::kOpaque;
  }
  ~BlockedTensorHandle() noexcept override = default;

  /// For the backend's own workloads: where the bytes are.
  const MemoryView* GetMemoryView() const override {
    return view_.data == nullptr ? nullptr : &view_;
  }

  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override {
    const bool fits =
        offset_bytes <= block.size_bytes && view_.size_bytes <= block.size_bytes - offset_bytes;
    if (block.data == nullptr || !fits) return Status::kInvalidArgument;
    view_.data = static_cast<unsigned char*>(block.data) + offset_bytes;
    return Status::kSuccess;
  }

  Status Map(MemoryAccess /*access*/, MemoryView* /*view*/) override {
    return Status::kUnsupported;
  }
  Status Unmap() override { return Status::kInvalidArgument; }
  Status Import(const MemoryView& /*memory*/) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kInvalidArgument; }
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

 private:
  MemoryView view_;
};

std::int64_t GetPreferredBlock() {
  constexpr auto kAvx512 = static_cast<unsigned>(dnnl::cpu_isa::avx512_core);
  const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  return (isa & kAvx512) == kAvx512 ? 16 : 8;
}

}  // namespace

Layout GetBlockedLayout(const TensorInfo& info) {
  const std::uint32_t rank = info.shape.rank;
  if (info.data_type != DataType::kFloat32 || info.quantization.IsQuantized() || rank < 4 ||
      info.shape.GetNumElements() == 0) {
    return Layout();
  }
  const std::int64_t block = GetPreferredBlock();
  if (info.shape[1] % block != 0) return Layout();
  return MakeChannelBlocks(info, block).value_or(Layout());
}

Status BlockedTensorHandleFactory::GetProperties(TensorHandleFactoryProperties* properties) const {
  properties->layout = TensorLayout::kOpaque;
  properties->copy_to_sources = ToFlags(MemorySource::kMalloc);
  properties->copy_from_sources = ToFlags(MemorySource::kMalloc);
  properties->copies_within_backend = 1;
  return Status::kSuccess;
}

MemoryRequirements BlockedTensorHandleFactory::GetRequirements(
    const TensorRequirementsArgs& args) const {
  MemoryRequirements requirements;
  requirements.size_bytes = args.info->GetSizeBytes();
  requirements.alignment_bytes = kAlignmentBytes;
  return requirements;
}

std::unique_ptr<ITensorHandle> BlockedTensorHandleFactory::CreateTensorHandle(
    const TensorHandleArgs& args) const {
  return std::make_unique<BlockedTensorHandle>(*args.info);
}

std::unique_ptr<ITensorHandle> BlockedTensorHandleFactory::CreateSubTensorHandle(
    const SubTensorHandleArgs& /*args*/) const {
  return nullptr;
}

}  // namespace cpuacc
}  // namespace backplane
