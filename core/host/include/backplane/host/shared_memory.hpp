#pragma once

/// Memory that this process shares with those in which backends run.

#include <backplane/host/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {

/// A file of memory, mapped in this process. Its size is sealed: whoever else maps it can change
/// what is in it, and cannot take it away.
class BACKPLANE_HOST_API SharedArea {
 public:
  /// Errors: DiagnosticException with kOutOfMemory, which names what was refused.
  static std::shared_ptr<SharedArea> Make(std::uint64_t size_bytes);
  /// Of a file that somebody else made; the descriptor is lent. It is mapped for writing where that
  /// is allowed.
  /// Null: it cannot be mapped, or it can become shorter.
  static std::shared_ptr<SharedArea> Open(int descriptor);
  ~SharedArea();
  SharedArea(const SharedArea&) = delete;
  SharedArea& operator=(const SharedArea&) = delete;

  /// Unique in this process; never used again.
  std::uint64_t GetId() const { return id_; }
  int GetDescriptor() const { return descriptor_; }
  std::byte* GetData() const { return data_; }
  std::uint64_t GetSizeBytes() const { return size_bytes_; }
  /// Whether this process may write to it; else that ends the process.
  bool IsWritable() const { return is_writable_; }
  /// Others who map it from now on can only read it.
  /// Errors: false where the kernel cannot do that.
  bool ForbidWritingByOthers() const;
  /// From now on nobody can seal more of it, so that one who has it cannot keep others from it.
  void ForbidMoreSeals() const;

 private:
  SharedArea(int descriptor, std::byte* data, std::uint64_t size_bytes, bool is_writable);
  /// Takes the descriptor. Null: errno says why it cannot be mapped.
  static std::shared_ptr<SharedArea> Map(int descriptor, std::uint64_t size_bytes);

  std::uint64_t id_;
  int descriptor_;
  std::byte* data_;
  std::uint64_t size_bytes_;
  bool is_writable_;
};

/// Sees to it that a file keeps its length: who has it mapped dies when another makes it shorter.
/// Errors: false for files on a disk, and for memfds that do not allow seals. [any thread]
BACKPLANE_HOST_API bool SealLength(int descriptor);

/// Whether a descriptor of this process can be given to another, which cannot make its file shorter
/// by it: it is open for reading alone, or its length is sealed now. [any thread]
BACKPLANE_HOST_API bool CanBeGiven(int descriptor);

/// Where something lies in an area.
struct SharedPlace {
  std::shared_ptr<SharedArea> area;
  std::uint64_t offset_bytes = 0;
};

/// The area in which all of these bytes of this process lie. Nothing: in none.
/// [any thread]
BACKPLANE_HOST_API std::optional<SharedPlace> FindSharedPlace(const void* data,
                                                              std::uint64_t size_bytes);

/// Allocates memory in an area of its own, which begins at a page.
/// Ownership: freed with the last copy of the pointer.
/// Errors: as SharedArea::Make. [any thread]
BACKPLANE_HOST_API std::shared_ptr<void> AllocateSharedMemory(std::uint64_t size_bytes);

}  // namespace backplane
