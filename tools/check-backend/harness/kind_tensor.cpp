#include "harness/kind_tensor.hpp"

#include "harness/garbage.hpp"
#include "harness/round_up.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;
using conformance::TestLayer;

constexpr std::uint64_t kHostAlignment = 64;
constexpr std::uint64_t kPageBytes = 4096;

void Require(Status status, const std::string& function, const std::string& of) {
  if (status == Status::kSuccess) return;
  throw std::runtime_error(function + " of " + of + " returned " + DescribeStatus(status));
}

/// Calls `take(address in the view, offset in dense bytes, size)` for each element.
template <typename Take>
void ForEachElement(const TensorInfo& info, const MemoryView& view, const Take& take) {
  const std::size_t size = GetDataTypeSizeBytes(info.data_type);
  const std::int64_t count = info.shape.GetNumElements();
  for (std::int64_t element = 0; element < count; ++element) {
    std::int64_t rest = element;
    std::int64_t offset = 0;
    for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
      offset += rest % info.shape[axis] * view.strides_bytes[axis];
      rest /= info.shape[axis];
    }
    take(static_cast<unsigned char*>(view.data) + offset, static_cast<std::size_t>(element) * size,
         size);
  }
}

MemoryView MakeMallocView(const TensorInfo& info, void* data, std::uint64_t alignment) {
  MemoryView view = conformance::MemoryHandle(info, data).view;
  view.alignment_bytes = alignment;
  return view;
}

/// Host memory of that size, which ends where the guard begins when its alignment allows that.
std::unique_ptr<GuardedTensor> MakeHostMemory(const MemoryRequirements& requirements,
                                              const std::string& name) {
  const bool is_strict = requirements.alignment_bytes > kHostAlignment;
  const std::uint64_t spare =
      requirements.alignment_bytes > kPageBytes ? requirements.alignment_bytes : 0;
  const TensorInfo bytes({static_cast<std::int64_t>(requirements.size_bytes + spare)},
                         DataType::kUInt8);
  return std::make_unique<GuardedTensor>(
      MakeGarbage(bytes), is_strict ? GuardedSide::kBefore : GuardedSide::kBehind, name);
}

unsigned char* AlignUp(void* data, std::uint64_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return static_cast<unsigned char*>(data) + (RoundUp(address, alignment) - address);
}

}  // namespace

std::vector<Kind> ListKinds(const RegisteredMemory& memory) {
  std::vector<Kind> kinds;
  for (const RegisteredFactory& factory : memory.factories) kinds.push_back({&memory, &factory});
  return kinds;
}

MemoryRequirements AskRequirements(const Kind& kind, const TensorInfo& info, LayerType beside) {
  MemoryRequirements needed;
  needed.size_bytes = info.GetSizeBytes();
  needed.alignment_bytes = GetDataTypeSizeBytes(info.data_type);
  TensorRequirementsArgs args;
  args.info = &info;
  for (const LayerType type : {LayerType::kUndefined, beside}) {
    args.layer_type = type;
    const MemoryRequirements wanted = kind.Get().GetRequirements(args);
    needed.size_bytes = std::max(needed.size_bytes, wanted.size_bytes);
    needed.alignment_bytes = std::max(needed.alignment_bytes, wanted.alignment_bytes);
  }
  return needed;
}

std::unique_ptr<ITensorHandle> MakeHandle(const Kind& kind, const TensorInfo& info) {
  TensorHandleArgs args;
  args.info = &info;
  auto handle = kind.Get().CreateTensorHandle(args);
  if (handle == nullptr) throw std::runtime_error("CreateTensorHandle gave null");
  return handle;
}

KindBlock::KindBlock(const Kind& kind, const MemoryRequirements& requirements,
                     const std::string& name) {
  const std::size_t manager = kind.factory->memory_manager;
  if (manager != kNoMemoryManager) {
    manager_ = kind.memory->memory_managers[manager].Share().get();
    const std::string of = "the memory manager of " + kind.GetId();
    Require(manager_->Acquire(requirements, &block_), "Acquire", of);
    return;
  }
  host_memory_ = MakeHostMemory(requirements, name);
  block_.data = AlignUp(host_memory_->GetData(), requirements.alignment_bytes);
  block_.source = MemorySource::kMalloc;
  block_.size_bytes = requirements.size_bytes;
}

KindBlock::~KindBlock() {
  if (manager_ != nullptr) manager_->Release(block_);
}

std::string KindBlock::DescribeDamage() const {
  return host_memory_ != nullptr ? host_memory_->DescribeDamage() : "";
}

Reach FindReach(Plugin& /*plugin*/, const Kind& kind) {
  const TensorHandleFactoryProperties& properties = kind.GetProperties();
  if (properties.supports_map_unmap != 0) return Reach::kMap;
  if (kind.Imports(MemorySource::kMalloc)) return Reach::kImport;
  if (kind.CopiesTo(MemorySource::kMalloc) && kind.CopiesFrom(MemorySource::kMalloc)) {
    return Reach::kCopy;
  }
  if (!kind.IsKnown()) return Reach::kNone;
  const TensorInfo info({1}, DataType::kFloat32);
  const auto handle = MakeHandle(kind, info);
  const KindBlock block(kind, AskRequirements(kind, info, LayerType::kUndefined), "a block");
  if (!kind.OwnsMemory() && handle->Bind(block.Get(), 0) != Status::kSuccess) return Reach::kNone;
  const MemoryView* const view = handle->GetMemoryView();
  const bool is_seen =
      view != nullptr && view->data != nullptr && view->source == MemorySource::kMalloc;
  return is_seen ? Reach::kView : Reach::kNone;
}

KindTensor::KindTensor(Plugin& plugin, const Kind& kind, Reach reach, const TensorInfo& info,
                       LayerType beside, const std::string& name, SharedPlace place)
    : plugin_(plugin), kind_(kind), reach_(reach), info_(info), handle_(MakeHandle(kind, info)) {
  const MemoryRequirements requirements = AskRequirements(kind, info, beside);
  if (place.block != nullptr) {
    Require(handle_->Bind(place.block->Get(), place.offset_bytes), "Bind", name);
  } else if (!kind.OwnsMemory()) {
    block_ = std::make_unique<KindBlock>(kind, requirements, "the block of " + name);
    Require(handle_->Bind(block_->Get(), 0), "Bind", name);
  }
  if (reach != Reach::kImport) return;
  imported_ = MakeHostMemory(requirements, "the memory imported for " + name);
  void* const data = AlignUp(imported_->GetData(), requirements.alignment_bytes);
  imported_view_ = MakeMallocView(info, data, requirements.alignment_bytes);
  imported_view_.size_bytes = requirements.size_bytes;
  Require(handle_->Import(imported_view_), "Import", name);
}

KindTensor::~KindTensor() = default;

void KindTensor::Write(const StoredTensor& content) {
  if (reach_ == Reach::kCopy) {
    StoredTensor copy = content;
    return Copy(true, copy);
  }
  if (reach_ != Reach::kMap) return CopyToView(content, GetSharedView().value());
  MemoryView mapped;
  Require(handle_->Map(MemoryAccess::kWrite, &mapped), "Map for writing", "a tensor");
  CopyToView(content, mapped);
  Require(handle_->Unmap(), "Unmap", "a tensor mapped for writing");
}

StoredTensor KindTensor::Read() {
  StoredTensor content(info_);
  if (reach_ == Reach::kCopy) {
    Copy(false, content);
    return content;
  }
  if (reach_ != Reach::kMap) {
    CopyFromView(GetSharedView().value(), content);
    return content;
  }
  MemoryView mapped;
  Require(handle_->Map(MemoryAccess::kRead, &mapped), "Map for reading", "a tensor");
  CopyFromView(mapped, content);
  Require(handle_->Unmap(), "Unmap", "a tensor mapped for reading");
  return content;
}

std::optional<MemoryView> KindTensor::GetSharedView() const {
  if (imported_ != nullptr) return imported_view_;
  const MemoryView* const view = kind_.IsKnown() ? handle_->GetMemoryView() : nullptr;
  const bool is_seen =
      view != nullptr && view->source == MemorySource::kMalloc && view->data != nullptr;
  return is_seen ? std::optional<MemoryView>(*view) : std::nullopt;
}

std::string KindTensor::DescribeDamage() const {
  std::string damage = block_ != nullptr ? block_->DescribeDamage() : "";
  if (damage.empty() && imported_ != nullptr) damage = imported_->DescribeDamage();
  return damage;
}

void KindTensor::Copy(bool is_in, StoredTensor& content) {
  const TestLayer layer(LayerType::kCopy, NoDescriptor(), {info_}, info_);
  const auto factory = plugin_.MakeFactory();
  const std::string host = kHostTensorHandleFactoryId;
  const auto workload = MakeWorkloadOfKinds(*factory, layer, is_in ? host : kind_.GetId(),
                                            is_in ? kind_.GetId() : host);
  const auto state = factory->CreateExecutionState();
  GuardedTensor memory(content, GuardedSide::kBehind, "the memory copied");
  ITensorHandle* const input = is_in ? memory.GetHandle() : handle_.get();
  ITensorHandle* const output = is_in ? handle_.get() : memory.GetHandle();
  Require(conformance::Execute(*workload, {input}, {output}, state.get()), "Execute",
          std::string("Copy ") + (is_in ? "to " : "from ") + kind_.GetId());
  content = memory.Read();
}

void CopyToView(const StoredTensor& content, const MemoryView& view) {
  ForEachElement(content.info, view,
                 [&](unsigned char* address, std::size_t offset, std::size_t size) {
                   std::memcpy(address, content.bytes.data() + offset, size);
                 });
}

void CopyFromView(const MemoryView& view, StoredTensor& content) {
  ForEachElement(content.info, view,
                 [&](unsigned char* address, std::size_t offset, std::size_t size) {
                   std::memcpy(content.bytes.data() + offset, address, size);
                 });
}

std::unique_ptr<IWorkload> MakeWorkloadOfKinds(IWorkloadFactory& factory, const TestLayer& layer,
                                               const std::string& input_kind,
                                               const std::string& output_kind) {
  return MakeWorkload(
      factory,
      conformance::LayerWorkloadArgs(layer, {}, input_kind.c_str(), output_kind.c_str()).Get());
}

}  // namespace backplane::check_backend
