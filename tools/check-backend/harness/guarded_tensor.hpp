#pragma once

/// Tensors whose surroundings, and contents, may not be touched.

#include "conformance/typed_tensor.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

struct SharedRecord;

/// When an address is touched that a guard protects, the record says whose it is, before the
/// process ends as it would have. Once for each process; a backend may replace it. [one at a time]
void WatchFaults(SharedRecord& record);

/// Which end of a tensor borders on a page that nobody may touch. The other has canaries.
enum class GuardedSide { kBehind, kBefore };

/// Memory of a tensor between pages that nobody may touch. Aligned to 64 bytes, as memory of the
/// host is, so that up to 63 bytes behind it are canaries.
class GuardedTensor {
 public:
  /// `name`: for what is told, as "input 0".
  GuardedTensor(const conformance::StoredTensor& content, GuardedSide side, std::string name);
  ~GuardedTensor();
  GuardedTensor(const GuardedTensor&) = delete;
  GuardedTensor& operator=(const GuardedTensor&) = delete;

  void* GetData() const { return data_; }
  ITensorHandle* GetHandle() const { return handle_.get(); }
  const std::string& GetName() const { return name_; }

  /// From now on whoever writes to it ends the process.
  void ForbidWriting();
  /// From now on whoever touches it ends the process.
  void ForbidTouching();

  /// What it holds now.
  conformance::StoredTensor Read() const;
  void Fill(unsigned char byte);
  void Write(const conformance::StoredTensor& content);

  /// What of the surroundings is not as it was: "3 bytes behind input 0, the first 5 bytes behind
  /// its end"; "" when all is.
  std::string DescribeDamage() const;

 private:
  TensorInfo info_;
  std::string name_;
  std::size_t page_bytes_;
  std::size_t usable_bytes_;
  std::size_t size_bytes_;
  unsigned char* memory_;
  unsigned char* data_;
  std::unique_ptr<ITensorHandle> handle_;
};

/// A guarded copy of bytes that a backend may only use until a call returns.
class BorrowedBytes {
 public:
  BorrowedBytes(const void* bytes, std::size_t size_bytes, std::string name);
  ~BorrowedBytes();
  BorrowedBytes(const BorrowedBytes&) = delete;
  BorrowedBytes& operator=(const BorrowedBytes&) = delete;

  const void* GetData() const { return data_; }
  void ForbidTouching();

 private:
  std::string name_;
  std::size_t mapped_bytes_;
  unsigned char* memory_;
  unsigned char* data_;
};

/// Handles for Execute, which borrow.
template <typename Tensor>
std::vector<ITensorHandle*> GetHandles(const std::vector<std::unique_ptr<Tensor>>& tensors) {
  std::vector<ITensorHandle*> handles;
  for (const auto& tensor : tensors) handles.push_back(tensor->GetHandle());
  return handles;
}

}  // namespace backplane::check_backend
