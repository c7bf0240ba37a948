#include "libraries/library_search.hpp"

#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace backplane::libraries {
namespace {

constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
constexpr std::size_t kMostCacheBytes = std::size_t{64} << 20U;

struct Header {
  char magic[20];
  std::uint32_t num_entries;
  std::uint32_t strings_bytes;
  std::uint8_t flags;
  std::uint8_t padding[3];
  std::uint32_t extension_offset;
  std::uint32_t unused[3];
};
static_assert(sizeof(Header) == 48, "as in the file");

struct Entry {
  std::int32_t flags;
  std::uint32_t name;  // both count from the beginning of the header
  std::uint32_t path;
  std::uint32_t os_version;
  std::uint64_t hardware;
};
static_assert(sizeof(Entry) == 24, "as in the file");

std::string ReadWhole(const std::string& path) {
  const wire::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.IsOpen() || fstat(file.Get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::string bytes(std::min(static_cast<std::size_t>(status.st_size), kMostCacheBytes), '\0');
  std::size_t size_bytes = 0;
  while (size_bytes < bytes.size()) {
    const ssize_t count = read(file.Get(), &bytes[size_bytes], bytes.size() - size_bytes);
    if (count <= 0) break;
    size_bytes += static_cast<std::size_t>(count);
  }
  bytes.resize(size_bytes);
  return bytes;
}

// The text at an offset, up to its zero byte; empty when it has none.
std::string_view GetText(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return {};
  const std::size_t end = bytes.find('\0', offset);
  if (end == std::string_view::npos) return {};
  return bytes.substr(offset, end - offset);
}

}  // namespace

LoaderCache LoaderCache::Read(const std::string& path) {
  LoaderCache cache;
  const std::string file = ReadWhole(path);
  // Older systems write an older format before the new one.
  const std::size_t start = file.find(kMagic);
  if (start == std::string::npos) return cache;
  const std::string_view bytes = std::string_view(file).substr(start);
  Header header;
  if (bytes.size() < sizeof(header)) return cache;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.num_entries > (bytes.size() - sizeof(header)) / sizeof(Entry)) return cache;
  for (std::size_t i = 0; i < header.num_entries; ++i) {
    Entry entry;
    std::memcpy(&entry, bytes.data() + sizeof(header) + i * sizeof(entry), sizeof(entry));
    // Variants for particular processors stand beside a general one.
    if (entry.hardware != 0) continue;
    cache.paths_[std::string(GetText(bytes, entry.name))].emplace_back(GetText(bytes, entry.path));
  }
  return cache;
}

std::vector<std::string> LoaderCache::Find(const std::string& library) const {
  const auto found = paths_.find(library);
  return found != paths_.end() ? found->second : std::vector<std::string>();
}

}  // namespace backplane::libraries
