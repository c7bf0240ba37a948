#include "elf/file_image.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

namespace backplane::elf {
namespace {

constexpr std::uint64_t kFileBlockBytes = 4 * 1024;

}  // namespace

void MemoryUnmapper::operator()(char* memory) const {
  munmap(memory, size_bytes);
}

FileImage::FileImage(int descriptor, std::uint64_t size_bytes, FileBeginning beginning)
    : descriptor_(descriptor),
      size_bytes_(size_bytes),
      allocated_(std::move(beginning.memory)),
      memory_(allocated_.get()),
      beginning_bytes_(allocated_ ? beginning.num_read_bytes : 0) {
  const std::uint64_t num_blocks = size_bytes / kFileBlockBytes + 1;
  if (allocated_) {
    const bool is_whole = beginning.num_read_bytes >= size_bytes;
    is_read_.resize(is_whole ? num_blocks : beginning.num_read_bytes / kFileBlockBytes, true);
    is_read_.resize(num_blocks);
    return;
  }
  if (size_bytes == 0) return;
  // Not the file itself: one that shrinks meanwhile gives short reads instead of SIGBUS. Pages that
  // nobody writes to take no memory.
  void* memory = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<char*>(memory);
  mapped_ = decltype(mapped_)(memory_, MemoryUnmapper{size_bytes});
  is_read_.resize(num_blocks);
}

std::optional<std::string_view> FileImage::ReadElsewhere(FileRange range) const {
  if (range.size_bytes == 0 || !IsWithin(range.offset, range.size_bytes, size_bytes_)) {
    return std::nullopt;
  }
  const std::uint64_t last = (range.offset + range.size_bytes - 1) / kFileBlockBytes;
  if (memory_ == nullptr || !ReadBlocks(range.offset / kFileBlockBytes, last + 1)) {
    return std::nullopt;
  }
  return std::string_view(memory_ + range.offset, range.size_bytes);
}

// Those of them that were not read before; neighbours at once.
bool FileImage::ReadBlocks(std::uint64_t first, std::uint64_t end) const {
  for (std::uint64_t block = first; block < end; ++block) {
    if (is_read_[block]) continue;
    std::uint64_t behind = block + 1;
    while (behind < end && !is_read_[behind]) ++behind;
    const std::uint64_t offset = block * kFileBlockBytes;
    if (!ReadMissing({offset, std::min(behind * kFileBlockBytes, size_bytes_) - offset}))
      return false;
    for (; block < behind; ++block) is_read_[block] = true;
  }
  return true;
}

bool FileImage::ReadMissing(FileRange range) const {
  while (range.size_bytes != 0) {
    const ssize_t count = pread(descriptor_, memory_ + range.offset, range.size_bytes,
                                static_cast<off_t>(range.offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    range.offset += static_cast<std::uint64_t>(count);
    range.size_bytes -= static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace backplane::elf
