#pragma once

#include "tensors/host_tensor_handle.hpp"

#include "tensors/memory_file.hpp"

#include <gtest/gtest.h>

namespace backplane {

/// F_SEAL_WRITE is refused as long as the file is mapped to be written.
inline bool IsMappedForWriting(const MemoryFile& file) {
  return ::fcntl(file.Get(), F_ADD_SEALS, F_SEAL_WRITE) != 0;
}

/// A handle bound to memory, and memory to import.
class HostImportTest : public testing::Test {
 protected:
  HostImportTest() {
    block_.data = bound_;
    block_.size_bytes = sizeof(bound_);
    EXPECT_EQ(handle_.Bind(block_, 64), Status::kSuccess);
  }

  /// Whether the handle is in the file from the offset on: reads and writes one byte.
  void ExpectInFile(const MemoryFile& file, std::size_t offset) {
    auto* data = static_cast<unsigned char*>(handle_.GetMemoryView()->data);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data[0], MemoryFile::ExpectedByte(offset));
    EXPECT_EQ(data[95], MemoryFile::ExpectedByte(offset + 95));
    data[7] = 255;
    EXPECT_EQ(file.Read(offset + 7), 255);
  }
  void ExpectRefused(const MemoryView& memory, Status expected = Status::kInvalidArgument) {
    const MemoryView before = *handle_.GetMemoryView();
    EXPECT_EQ(handle_.Import(memory), expected);
    const MemoryView& after = *handle_.GetMemoryView();
    EXPECT_EQ(after.data, before.data);
    EXPECT_EQ(after.source, before.source);
    EXPECT_EQ(after.file_descriptor, before.file_descriptor);
    EXPECT_EQ(after.access, before.access);
  }

  const TensorInfo info_{{2, 3, 4}, DataType::kFloat32};
  alignas(64) unsigned char bound_[256] = {};
  alignas(64) unsigned char given_[256] = {};
  MemoryBlock block_;
  HostTensorHandle handle_{info_, MemoryAccess::kReadWrite};
};

}  // namespace backplane
