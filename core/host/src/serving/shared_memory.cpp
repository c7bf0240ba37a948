#include <backplane/host/shared_memory.hpp>
#include <backplane/host/system_refusal.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>

namespace backplane {
namespace {

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

std::atomic<std::uint64_t> last_id{0};

/// All areas of this process, by where they begin.
struct AreaTable {
  std::shared_mutex mutex;
  std::map<std::uintptr_t, std::weak_ptr<SharedArea>> areas;
};

// Never destroyed: areas may live longer than what is static.
AreaTable& GetTable() {
  static auto* const table = new AreaTable;
  return *table;
}

std::uintptr_t ToAddress(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data);
}

[[noreturn]] void ThrowRefused(std::uint64_t size_bytes, int error) {
  Diagnostic diagnostic =
      DescribeOutOfMemory("memory that processes share could not be allocated", error);
  diagnostic.why = "asked for " + std::to_string(size_bytes) + " bytes; " + diagnostic.why;
  throw DiagnosticException(std::move(diagnostic));
}

/// -1: it was refused, as errno says.
int MakeFile(std::uint64_t size_bytes) {
  const int descriptor = memfd_create("backplane-tensors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  const bool is_made = ftruncate(descriptor, static_cast<off_t>(size_bytes)) == 0 &&
                       fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
  if (is_made) return descriptor;
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

}  // namespace

SharedArea::SharedArea(int descriptor, std::byte* data, std::uint64_t size_bytes, bool is_writable)
    : id_(++last_id),
      descriptor_(descriptor),
      data_(data),
      size_bytes_(size_bytes),
      is_writable_(is_writable) {}

std::shared_ptr<SharedArea> SharedArea::Make(std::uint64_t size_bytes) {
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (size_bytes > (std::uint64_t{1} << 62U)) ThrowRefused(size_bytes, ENOMEM);
  const std::uint64_t whole = (std::max<std::uint64_t>(size_bytes, 1) + page - 1) / page * page;
  const int descriptor = MakeFile(whole);
  auto area = descriptor >= 0 ? Map(descriptor, whole) : nullptr;
  if (!area || !area->is_writable_) ThrowRefused(size_bytes, errno);
  return area;
}

std::shared_ptr<SharedArea> SharedArea::Open(int descriptor) {
  struct stat status {};
  if (!CanBeGiven(descriptor)) return nullptr;
  if (fstat(descriptor, &status) != 0 || status.st_size <= 0) return nullptr;
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return own >= 0 ? Map(own, static_cast<std::uint64_t>(status.st_size)) : nullptr;
}

std::shared_ptr<SharedArea> SharedArea::Map(int descriptor, std::uint64_t size_bytes) {
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const bool is_writable = data != MAP_FAILED;
  if (!is_writable) data = mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    close(descriptor);
    errno = error;
    return nullptr;
  }
  const std::shared_ptr<SharedArea> area(
      new SharedArea(descriptor, static_cast<std::byte*>(data), size_bytes, is_writable));
  AreaTable& table = GetTable();
  const std::unique_lock<std::shared_mutex> lock(table.mutex);
  table.areas[ToAddress(data)] = area;
  return area;
}

SharedArea::~SharedArea() {
  {
    AreaTable& table = GetTable();
    const std::unique_lock<std::shared_mutex> lock(table.mutex);
    table.areas.erase(ToAddress(data_));
  }
  munmap(data_, size_bytes_);
  close(descriptor_);
}

bool SharedArea::ForbidWritingByOthers() const {
  return fcntl(descriptor_, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0;
}

void SharedArea::ForbidMoreSeals() const {
  static_cast<void>(fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SEAL));
}

bool SealLength(int descriptor) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals >= 0) {
    return (seals & F_SEAL_SHRINK) != 0 || fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) == 0;
  }
  // A dma-buf, which is neither a memfd nor a file, keeps the length that it was made with.
  struct stat status {};
  return fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

bool CanBeGiven(int descriptor) {
  const int mode = fcntl(descriptor, F_GETFL);
  return (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) || SealLength(descriptor);
}

std::optional<SharedPlace> FindSharedPlace(const void* data, std::uint64_t size_bytes) {
  std::shared_ptr<SharedArea> area;  // outlives the lock, which its destructor takes
  {
    AreaTable& table = GetTable();
    const std::shared_lock<std::shared_mutex> lock(table.mutex);
    const auto next = table.areas.upper_bound(ToAddress(data));
    if (next == table.areas.begin()) return std::nullopt;
    area = std::prev(next)->second.lock();
  }
  if (!area) return std::nullopt;
  const std::uint64_t offset_bytes = ToAddress(data) - ToAddress(area->GetData());
  if (offset_bytes > area->GetSizeBytes() || size_bytes > area->GetSizeBytes() - offset_bytes) {
    return std::nullopt;
  }
  return SharedPlace{area, offset_bytes};
}

std::shared_ptr<void> AllocateSharedMemory(std::uint64_t size_bytes) {
  std::shared_ptr<SharedArea> area = SharedArea::Make(size_bytes);
  void* const data = area->GetData();
  return {std::move(area), data};
}

}  // namespace backplane
