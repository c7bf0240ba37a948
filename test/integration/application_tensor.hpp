#pragma once

/// Memory of the application as it is given to IRuntime::ImportTensor.

#include "memory_runtime.hpp"

#include <backplane/api/memory_view.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace backplane::test {

/// Floats at an address, or in a memfd, `offset_bytes` after its begin.
class ApplicationTensor {
 public:
  ApplicationTensor(MemorySource source, const Floats& values, std::uint64_t offset_bytes = 0)
      : source_(source), buffer_(values, offset_bytes), offset_bytes_(offset_bytes) {
    if (source == MemorySource::kMalloc) return;
    file_descriptor_ = memfd_create("tensor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EXPECT_GE(file_descriptor_, 0);
    EXPECT_EQ(ftruncate(file_descriptor_, static_cast<off_t>(offset_bytes + GetSizeBytes())), 0);
    reader_ = dup(file_descriptor_);
    Write(values);
  }
  ~ApplicationTensor() {
    CloseForApplication();
    if (reader_ >= 0) close(reader_);
  }
  ApplicationTensor(const ApplicationTensor&) = delete;
  ApplicationTensor& operator=(const ApplicationTensor&) = delete;

  std::size_t GetSizeBytes() const { return buffer_.GetSizeBytes(); }
  int GetFileDescriptor() const { return file_descriptor_; }

  MemoryView GetView() {
    MemoryView view;
    view.source = source_;
    view.size_bytes = GetSizeBytes();
    if (source_ == MemorySource::kMalloc) {
      view.data = buffer_.GetData();
    } else {
      view.file_descriptor = file_descriptor_;
      view.offset_bytes = offset_bytes_;
    }
    return view;
  }

  /// Ends the use of the descriptor that GetView gives. The test goes on reading and writing.
  void CloseForApplication() {
    if (file_descriptor_ >= 0) close(file_descriptor_);
    file_descriptor_ = -1;
  }

  void Write(const Floats& values) {
    buffer_.Write(values);
    if (source_ == MemorySource::kMalloc) return;
    EXPECT_EQ(pwrite(reader_, values.data(), GetSizeBytes(), static_cast<off_t>(offset_bytes_)),
              static_cast<ssize_t>(GetSizeBytes()));
  }

  Floats Read() const {
    if (source_ == MemorySource::kMalloc) return buffer_.Read();
    Floats values(GetSizeBytes() / sizeof(float));
    EXPECT_EQ(pread(reader_, values.data(), GetSizeBytes(), static_cast<off_t>(offset_bytes_)),
              static_cast<ssize_t>(GetSizeBytes()));
    return values;
  }

 private:
  const MemorySource source_;
  Buffer buffer_;
  const std::uint64_t offset_bytes_;
  int file_descriptor_ = -1;
  int reader_ = -1;
};

inline InputTensor AsImportedInput(LayerBindingId id, ImportedTensorId imported) {
  InputTensor input;
  input.id = id;
  input.imported = imported;
  return input;
}

inline OutputTensor AsImportedOutput(LayerBindingId id, ImportedTensorId imported) {
  OutputTensor output;
  output.id = id;
  output.imported = imported;
  return output;
}

}  // namespace backplane::test
