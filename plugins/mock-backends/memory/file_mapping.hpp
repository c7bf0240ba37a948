#pragma once

#include <backplane/api/memory_view.hpp>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

namespace memory_mock {

/// A part of a file in memory, as long as the object lives.
class FileMapping {
 public:
  /// Null: when the file is shorter or cannot be mapped so.
  static std::unique_ptr<FileMapping> Make(const backplane::MemoryView& view) {
    struct stat file = {};
    if (fstat(view.file_descriptor, &file) != 0) return nullptr;
    const auto file_bytes = static_cast<std::uint64_t>(file.st_size);
    if (view.offset_bytes > file_bytes || view.size_bytes > file_bytes - view.offset_bytes) {
      return nullptr;
    }
    const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t lead_bytes = view.offset_bytes % page_bytes;
    const std::uint64_t size_bytes = lead_bytes + view.size_bytes + (view.size_bytes == 0 ? 1 : 0);
    const int protection =
        view.access == backplane::MemoryAccess::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
    void* begin = mmap(nullptr, size_bytes, protection, MAP_SHARED, view.file_descriptor,
                       static_cast<off_t>(view.offset_bytes - lead_bytes));
    if (begin == MAP_FAILED) return nullptr;
    return std::unique_ptr<FileMapping>(new FileMapping(begin, size_bytes, lead_bytes));
  }

  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;
  ~FileMapping() { munmap(begin_, size_bytes_); }

  unsigned char* GetData() const { return static_cast<unsigned char*>(begin_) + lead_bytes_; }

 private:
  FileMapping(void* begin, std::uint64_t size_bytes, std::uint64_t lead_bytes)
      : begin_(begin), size_bytes_(size_bytes), lead_bytes_(lead_bytes) {}

  void* begin_;
  std::uint64_t size_bytes_;
  std::uint64_t lead_bytes_;  // from the beginning of the page
};

}  // namespace memory_mock
