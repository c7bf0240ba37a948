#pragma once

/// Tensors in the kinds of memory that a backend registers.

#include "conformance/typed_tensor.hpp"
#include "harness/guarded_tensor.hpp"
#include "harness/plugin.hpp"
#include "harness/samples.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// One kind of what a backend registered. Borrows it.
struct Kind {
  const RegisteredMemory* memory = nullptr;
  const RegisteredFactory* factory = nullptr;

  ITensorHandleFactory& Get() const { return *factory->factory.Share(); }
  const std::string& GetId() const { return factory->id; }
  const TensorHandleFactoryProperties& GetProperties() const { return factory->properties; }
  bool IsKnown() const { return GetProperties().layout == TensorLayout::kKnown; }
  bool OwnsMemory() const { return GetProperties().owns_memory != 0; }
  bool Imports(MemorySource source) const {
    return (GetProperties().import_sources & ToFlags(source)) != 0;
  }
  bool Exports(MemorySource source) const {
    return (GetProperties().export_sources & ToFlags(source)) != 0;
  }
  bool CopiesTo(MemorySource source) const {
    return (GetProperties().copy_to_sources & ToFlags(source)) != 0;
  }
  bool CopiesFrom(MemorySource source) const {
    return (GetProperties().copy_from_sources & ToFlags(source)) != 0;
  }
};

/// For Session::Skip.
constexpr char kNoKinds[] = "it registers no kinds of tensor memory";

std::vector<Kind> ListKinds(const RegisteredMemory& memory);

/// As a host asks: at least the tensor's own bytes, for no layer and for this one.
MemoryRequirements AskRequirements(const Kind& kind, const TensorInfo& info, LayerType beside);

/// A handle of the kind, unbound. Errors: std::runtime_error when the factory gives null.
std::unique_ptr<ITensorHandle> MakeHandle(const Kind& kind, const TensorInfo& info);

/// A block for tensors of a kind: of the memory manager that was registered with it, or memory of
/// the host, with pages on both sides that nobody may touch.
class KindBlock {
 public:
  /// Errors: std::runtime_error when Acquire fails.
  KindBlock(const Kind& kind, const MemoryRequirements& requirements, const std::string& name);
  ~KindBlock();
  KindBlock(const KindBlock&) = delete;
  KindBlock& operator=(const KindBlock&) = delete;

  const MemoryBlock& Get() const { return block_; }
  /// As GuardedTensor::DescribeDamage; "" for blocks of a memory manager.
  std::string DescribeDamage() const;

 private:
  IMemoryManager* manager_ = nullptr;  // null: the host
  std::unique_ptr<GuardedTensor> host_memory_;
  MemoryBlock block_;
};

/// How the CPU gets at the content of a kind's tensors.
enum class Reach { kNone, kMap, kImport, kView, kCopy };

Reach FindReach(Plugin& plugin, const Kind& kind);

/// A place in a block that several tensors share.
struct SharedPlace {
  const KindBlock* block = nullptr;  // null: a block of its own
  std::uint64_t offset_bytes = 0;
};

/// A tensor of a kind, bound to a block of its own of just the size that is required, or to a place
/// in one.
class KindTensor {
 public:
  KindTensor(Plugin& plugin, const Kind& kind, Reach reach, const TensorInfo& info,
             LayerType beside, const std::string& name, SharedPlace place = {});
  ~KindTensor();
  KindTensor(const KindTensor&) = delete;
  KindTensor& operator=(const KindTensor&) = delete;

  ITensorHandle* GetHandle() const { return handle_.get(); }
  /// Errors: std::runtime_error when the backend does not let it, with what it answered.
  void Write(const conformance::StoredTensor& content);
  conformance::StoredTensor Read();
  /// Memory of the CPU in which the tensor lies at all times. Empty: there is none.
  std::optional<MemoryView> GetSharedView() const;
  std::string DescribeDamage() const;

 private:
  void Copy(bool is_in, conformance::StoredTensor& content);

  Plugin& plugin_;
  const Kind kind_;
  const Reach reach_;
  const TensorInfo info_;
  MemoryView imported_view_;
  std::unique_ptr<KindBlock> block_;
  std::unique_ptr<GuardedTensor> imported_;
  std::unique_ptr<ITensorHandle> handle_;
};

/// Copies between dense bytes and memory with the strides of a view.
void CopyToView(const conformance::StoredTensor& content, const MemoryView& view);
void CopyFromView(const MemoryView& view, conformance::StoredTensor& content);

/// As MakeWorkload, with all tensors of these kinds.
std::unique_ptr<IWorkload> MakeWorkloadOfKinds(IWorkloadFactory& factory,
                                               const conformance::TestLayer& layer,
                                               const std::string& input_kind,
                                               const std::string& output_kind);

}  // namespace backplane::check_backend
