#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include "tensors/dense_layout.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// Holds a file descriptor until the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(int file_descriptor) : file_descriptor_(file_descriptor) {
    EXPECT_GE(file_descriptor_, 0);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { Close(); }

  int Get() const { return file_descriptor_; }
  void Close() {
    if (file_descriptor_ >= 0) ::close(file_descriptor_);
    file_descriptor_ = -1;
  }
  /// Opens the same file once more.
  int OpenAgain(int flags) const {
    const std::string path = "/proc/self/fd/" + std::to_string(file_descriptor_);
    return ::open(path.c_str(), flags | O_CLOEXEC);
  }

 private:
  int file_descriptor_;
};

/// A memfd whose byte i is i % 251.
class MemoryFile : public OpenFile {
 public:
  explicit MemoryFile(std::size_t size_bytes)
      : OpenFile(::memfd_create("tensor", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    std::vector<unsigned char> content(size_bytes);
    for (std::size_t i = 0; i < size_bytes; ++i) content[i] = ExpectedByte(i);
    EXPECT_EQ(::pwrite(Get(), content.data(), size_bytes, 0), static_cast<ssize_t>(size_bytes));
  }

  static unsigned char ExpectedByte(std::size_t offset) {
    return static_cast<unsigned char>(offset % 251);
  }
  unsigned char Read(std::size_t offset) const {
    unsigned char byte = 0;
    EXPECT_EQ(::pread(Get(), &byte, 1, static_cast<off_t>(offset)), 1);
    return byte;
  }
  void Seal(int seals) const { EXPECT_EQ(::fcntl(Get(), F_ADD_SEALS, seals), 0); }
};

/// A dense tensor in a file.
inline MemoryView ViewOfFile(const TensorInfo& info, int file_descriptor,
                             std::uint64_t offset_bytes) {
  MemoryView view;
  SetDenseLayout(view, info);
  view.source = MemorySource::kFileDescriptor;
  view.file_descriptor = file_descriptor;
  view.offset_bytes = offset_bytes;
  view.size_bytes = info.GetSizeBytes();
  return view;
}

/// A dense tensor at an address.
inline MemoryView ViewOfAddress(const TensorInfo& info, void* data) {
  MemoryView view;
  SetDenseLayout(view, info);
  view.source = MemorySource::kMalloc;
  view.data = data;
  view.size_bytes = info.GetSizeBytes();
  return view;
}

}  // namespace backplane
