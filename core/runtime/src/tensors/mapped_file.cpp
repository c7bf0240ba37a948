#include "tensors/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace backplane {

namespace {

bool Allows(MemoryAccess access, MemoryAccess wanted) {
  return (static_cast<std::uint32_t>(access) & static_cast<std::uint32_t>(wanted)) != 0;
}

void* MapPages(int file_descriptor, std::uint64_t begin, std::uint64_t size_bytes,
               MemoryAccess access) {
  const bool is_written = Allows(access, MemoryAccess::kWrite);
  const int protection =
      (Allows(access, MemoryAccess::kRead) ? PROT_READ : 0) | (is_written ? PROT_WRITE : 0);
  const auto offset = static_cast<off_t>(begin);
  void* pages = ::mmap(nullptr, size_bytes, protection, MAP_SHARED, file_descriptor, offset);
  if (pages != MAP_FAILED || errno != EPERM || is_written) return pages;
  // Linux before 6.7 shares no file sealed against writing, not even to be read. What nobody can
  // change is the same in a private mapping.
  return ::mmap(nullptr, size_bytes, protection, MAP_PRIVATE, file_descriptor, offset);
}

}  // namespace

std::optional<std::uint64_t> GetFileSizeBytes(int file_descriptor) {
  struct stat facts {};
  if (::fstat(file_descriptor, &facts) != 0 || S_ISDIR(facts.st_mode)) return std::nullopt;
  if (facts.st_size > 0) return static_cast<std::uint64_t>(facts.st_size);
  // A dma-buf may tell its size only so. It is never read or written, so its position is free.
  const off_t end = ::lseek(file_descriptor, 0, SEEK_END);
  if (end < 0) return std::nullopt;
  return static_cast<std::uint64_t>(end);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      pages_bytes_(std::exchange(other.pages_bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  MappedFile taken(std::move(other));
  std::swap(pages_, taken.pages_);
  std::swap(pages_bytes_, taken.pages_bytes_);
  std::swap(data_, taken.data_);
  return *this;
}

MappedFile::~MappedFile() {
  if (pages_ != nullptr) ::munmap(pages_, pages_bytes_);
}

void MappedFile::ReleasePages() const {
  if (pages_ != nullptr) ::madvise(pages_, pages_bytes_, MADV_DONTNEED);
}

Status MappedFile::Map(int file_descriptor, std::uint64_t offset_bytes, std::uint64_t size_bytes,
                       MemoryAccess access) {
  // Pages behind the end of a file can be mapped, but whoever touches them gets a signal.
  const std::optional<std::uint64_t> file_bytes = GetFileSizeBytes(file_descriptor);
  if (!file_bytes || size_bytes == 0 || offset_bytes > *file_bytes ||
      size_bytes > *file_bytes - offset_bytes) {
    return Status::kInvalidArgument;
  }
  const std::uint64_t in_page = offset_bytes % static_cast<std::uint64_t>(::getpagesize());
  MappedFile mapped;
  mapped.pages_bytes_ = size_bytes + in_page;
  void* pages = MapPages(file_descriptor, offset_bytes - in_page, mapped.pages_bytes_, access);
  if (pages == MAP_FAILED) {
    return errno == ENOMEM ? Status::kOutOfMemory : Status::kInvalidArgument;
  }
  mapped.pages_ = pages;
  mapped.data_ = static_cast<unsigned char*>(pages) + in_page;
  *this = std::move(mapped);
  return Status::kSuccess;
}

}  // namespace backplane
