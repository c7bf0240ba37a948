// What a backend can do to the report on it, which lies in memory of its own process: when the
// library is closed, the report is written and not yet read.

#include <backplane/api/entry_points.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

template <typename Number>
Number Read(const char* bytes) {
  Number number{};
  std::memcpy(&number, bytes, sizeof(number));
  return number;
}

#ifdef BACKPLANE_MOCK_WITHOUT_IDENTITY
/// The report no longer says that an identity follows, and so what follows is something else.
void Edit(char* begin, char* end) {
  const std::string id = GetBackendId();
  const std::uint64_t size_bytes = id.size();
  const std::string identity =
      '\1' + std::string(reinterpret_cast<const char*>(&size_bytes), sizeof(size_bytes)) + id;
  char* const found = std::search(begin, end, identity.begin(), identity.end());
  if (found != end) *found = 0;
}
#else
/// The report begins with the status, the last stage, and how many stages there were.
void Edit(char* begin, char* end) {
  constexpr std::uint32_t kRejected = 3;
  constexpr std::uint32_t kMostStages = 20;
  for (char* bytes = begin; bytes + 16 <= end; ++bytes) {
    const auto stage = Read<std::uint32_t>(bytes + 4);
    const auto num_stages = Read<std::uint64_t>(bytes + 8);
    const bool is_begin = Read<std::uint32_t>(bytes) == kRejected && stage != 0 &&
                          stage < kMostStages && num_stages != 0 && num_stages < kMostStages;
    if (!is_begin) continue;
    *bytes = 0;  // loaded
    return;
  }
}
#endif

/// In memory that is shared with another process.
__attribute__((destructor)) void EditTheReport() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  char line[4096];
  while (std::fgets(line, sizeof(line), maps) != nullptr) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char rights[5] = {};
    const int found = std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights);
    if (found != 3 || std::strcmp(rights, "rw-s") != 0) continue;
    Edit(reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end));
  }
  std::fclose(maps);
}

}  // namespace
