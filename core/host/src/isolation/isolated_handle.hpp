// Tensor handles of a backend in another process, and the views of memory that it describes.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane::isolation {

/// Keeps the memory of a view: the area in which it lies, or its file.
struct ViewHold {
  std::shared_ptr<SharedArea> area;
  wire::FileDescriptor file;
};

/// Memory of both processes is imported without a call where such memory was taken before: the next
/// run tells it.
///
/// Threads: one at a time.
class IsolatedHandle final : public ITensorHandle {
 public:
  /// `made` is the reply that has the memory view of the tensor, which is described by `info`,
  /// next.
  IsolatedHandle(std::shared_ptr<Worker> worker, std::uint64_t id, const TensorInfo& info,
                 Reply& made);
  ~IsolatedHandle() override {
    if (!GetWorker().IsForked()) GetWorker().GetObjects().RemoveHandle(this);
  }

  /// Memory that a run has it import, in an area that both processes have.
  struct Imported {
    SharedPlace place;
    MemoryView view;  // as the application described it
  };

  std::uint64_t GetNumber() const { return object_.GetNumber(); }

  /// The memory that the other side must have imported before it uses the handle; null: none. From
  /// now on it is taken to have that, and GetImportVersion is its number.
  const Imported* HandOver();
  std::uint64_t GetImportVersion() const { return version_; }
  bool IsHandedOver() const { return !is_changed_; }

  const MemoryView* GetMemoryView() const override {
    return wanted_ ? &wanted_->view : view_ ? &*view_ : nullptr;
  }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  /// The other side keeps the import until something else is wanted.
  Status Unimport() override;
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  Status CopyMapped(bool is_read);
  Status ImportNow(const MemoryView& memory, const std::optional<SharedPlace>& place);
  Status UnimportNow();
  Status Settle();
  bool IsLikeProven(const MemoryView& memory) const;
  Worker& GetWorker() const { return object_.GetWorker(); }

  std::shared_ptr<SharedArea> bound_;  // declared first: what it was bound to outlives it
  RemoteObject object_;
  const TensorInfo info_;
  std::optional<MemoryView> view_;    // of its own memory
  std::optional<Imported> wanted_;    // by the host, now
  std::optional<Imported> remote_;    // what the other side has, or is told with the next run
  std::optional<MemoryView> proven_;  // that it took: what is alike need not be asked about
  std::uint64_t version_ = 0;
  bool is_changed_ = false;  // wanted_ is not yet what the other side is told
  ViewHold view_hold_;
  ViewHold imported_hold_;
  ViewHold mapped_hold_;
  ViewHold exported_hold_;
  std::uint64_t staged_bytes_ = 0;
  std::shared_ptr<SharedArea> staging_;  // where mapped memory is seen that only the backend has
  bool is_staged_ = false;
  MemoryAccess mapped_for_ = MemoryAccess::kRead;
};

/// Counts the bytes from the first of a view to the end of its last element.
/// Nothing: strides are negative, or the count does not fit into a number.
std::optional<std::uint64_t> CountUsedBytes(const MemoryView& view);

/// The next view of a reply, as this process sees the memory: with an address when it lies in an
/// area that both have, and with a descriptor when one came along. `hold` then owns what it needs.
/// Nothing: there is none, or it cannot be the view of a tensor of `info`.
std::optional<MemoryView> TakeView(Worker& worker, Reply& reply, const TensorInfo& info,
                                   ViewHold& hold);

/// The part of a claimed alignment that memory at this address really has: code that relies on more
/// crashes.
std::uint64_t LimitAlignment(std::uint64_t alignment_bytes, const void* data);

/// Whether a file that a backend handed over keeps its length; if not, it is not used, and that is
/// logged.
bool TakesFile(const Worker& worker, int file_descriptor);
/// The same of a file that a backend is to be given.
bool GivesFile(const Worker& worker, int file_descriptor);

}  // namespace backplane::isolation
