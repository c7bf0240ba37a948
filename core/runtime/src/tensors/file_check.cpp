#include "tensors/file_check.hpp"

#include "tensors/mapped_file.hpp"

#include <fcntl.h>

#include <cstdint>
#include <optional>

namespace backplane {

namespace {

std::string DescribeDescriptor(const MemoryView& memory) {
  return "file descriptor " + std::to_string(memory.file_descriptor);
}

std::string FindSizeFault(const MemoryView& memory) {
  const std::optional<std::uint64_t> file_bytes = GetFileSizeBytes(memory.file_descriptor);
  if (!file_bytes) {
    return "found " + DescribeDescriptor(memory) +
           ", which has no size; expected a file or a dma-buf";
  }
  if (memory.offset_bytes <= *file_bytes &&
      memory.size_bytes <= *file_bytes - memory.offset_bytes) {
    return "";
  }
  return "found a file of " + std::to_string(*file_bytes) + " bytes; expected one that holds " +
         std::to_string(memory.size_bytes) + " bytes from offset " +
         std::to_string(memory.offset_bytes) + " on";
}

bool IsWritten(MemoryAccess access) {
  return (static_cast<std::uint32_t>(access) & static_cast<std::uint32_t>(MemoryAccess::kWrite)) !=
         0;
}

std::string FindModeFault(const MemoryView& memory, int mode, MemoryAccess access) {
  const bool is_written = IsWritten(access);
  // A mapping is always read, also when it is only to be written.
  const bool is_readable = (mode & O_PATH) == 0 && (mode & O_ACCMODE) != O_WRONLY;
  if (is_readable && (!is_written || (mode & O_ACCMODE) == O_RDWR)) return "";
  const char* found = is_readable            ? " open for reading"
                      : (mode & O_PATH) != 0 ? " open as a path only"
                                             : " open for writing only";
  return "found " + DescribeDescriptor(memory) + found + "; expected it to be open for reading" +
         (is_written ? " and writing" : "");
}

std::string FindSealFault(const MemoryView& memory, MemoryAccess access) {
  if (!IsWritten(access)) return "";
  const int seals = ::fcntl(memory.file_descriptor, F_GET_SEALS);
  // Fails for files that cannot have any.
  if (seals < 0 || (seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) == 0) return "";
  return "found a file sealed against writing; expected one that can be written";
}

}  // namespace

std::string FindFileFault(const MemoryView& memory, MemoryAccess access) {
  if (memory.file_descriptor < 0) {
    return "found no file descriptor; expected one that is open";
  }
  const int mode = ::fcntl(memory.file_descriptor, F_GETFL);
  if (mode < 0)
    return "found " + DescribeDescriptor(memory) + ", which is not open; expected one that is open";
  // Devices use a dma-buf whatever its descriptor was opened for.
  if (memory.source == MemorySource::kFileDescriptor) {
    std::string fault = FindModeFault(memory, mode, access);
    if (fault.empty()) fault = FindSealFault(memory, access);
    if (!fault.empty()) return fault;
  }
  return FindSizeFault(memory);
}

}  // namespace backplane
