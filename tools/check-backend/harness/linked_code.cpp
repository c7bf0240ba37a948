#include "harness/linked_code.hpp"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool is_of_process = false;
};

/// By their begins.
std::vector<CodeRange>& GetRanges() {
  static std::vector<CodeRange> ranges;
  return ranges;
}

/// A file in memory, as the loader knows it.
struct LoadedFile {
  std::string path;  // "" for the program
  std::string soname;
  std::vector<std::string> needed;
  std::vector<CodeRange> code;
};

void ReadDynamic(std::uintptr_t base, const ElfW(Dyn) * begin, LoadedFile& file) {
  const char* names = nullptr;
  for (const auto* entry = begin; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_STRTAB) continue;
    // Where this section cannot be written, the loader has not added the base.
    const std::uintptr_t address = entry->d_un.d_ptr;
    names = reinterpret_cast<const char*>(address < base ? base + address : address);
  }
  if (names == nullptr) return;
  for (const auto* entry = begin; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME) file.soname = names + entry->d_un.d_val;
    if (entry->d_tag == DT_NEEDED) file.needed.emplace_back(names + entry->d_un.d_val);
  }
}

int AddFile(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  LoadedFile file;
  file.path = info->dlpi_name;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) {
      ReadDynamic(info->dlpi_addr, reinterpret_cast<const ElfW(Dyn)*>(begin), file);
    }
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    file.code.push_back({begin, begin + segment.p_memsz, false});
  }
  static_cast<std::vector<LoadedFile>*>(data)->push_back(std::move(file));
  return 0;
}

/// Takes a file and those to which it is linked from all files.
template <typename IsWanted>
std::vector<LoadedFile> TakeLinked(std::vector<LoadedFile>& files, const IsWanted& is_wanted) {
  std::vector<LoadedFile> linked;
  const auto take = [&](const auto& is_next) {
    const auto rest = std::stable_partition(files.begin(), files.end(), is_next);
    std::move(files.begin(), rest, std::back_inserter(linked));
    files.erase(files.begin(), rest);
  };
  take(is_wanted);
  for (std::size_t i = 0; i < linked.size(); ++i) {
    const std::vector<std::string> needed = linked[i].needed;
    take([&](const LoadedFile& file) {
      return std::find(needed.begin(), needed.end(), file.soname) != needed.end();
    });
  }
  return linked;
}

/// Null: it is in none of them.
const CodeRange* FindRange(std::uintptr_t address) {
  const std::vector<CodeRange>& ranges = GetRanges();
  auto found = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](std::uintptr_t value, const CodeRange& range) { return value < range.begin; });
  if (found == ranges.begin()) return nullptr;
  --found;
  return address < found->end ? &*found : nullptr;
}

struct Walk {
  std::uintptr_t begin = 0;
  bool has_begun = false;
  bool is_linked = false;
};

_Unwind_Reason_Code Look(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  walk.has_begun = walk.has_begun || address == walk.begin;
  if (!walk.has_begun) return _URC_NO_REASON;
  const CodeRange* const range = FindRange(address - 1);
  if (range != nullptr && range->is_of_process) return _URC_NO_REASON;
  walk.is_linked = range != nullptr;
  return _URC_END_OF_STACK;
}

}  // namespace

void RememberLinkedCode(const std::string& backend_path) {
  std::vector<LoadedFile> files;
  dl_iterate_phdr(&AddFile, &files);
  std::vector<CodeRange> ranges;
  const auto add = [&](const std::vector<LoadedFile>& linked, bool is_of_process) {
    for (const LoadedFile& file : linked) {
      for (const CodeRange& range : file.code) {
        ranges.push_back({range.begin, range.end, is_of_process});
      }
    }
  };
  add(TakeLinked(files, [](const LoadedFile& file) { return file.path.empty(); }), true);
  std::error_code error;
  add(TakeLinked(files,
                 [&](const LoadedFile& file) {
                   return std::filesystem::equivalent(file.path, backend_path, error);
                 }),
      false);
  std::sort(ranges.begin(), ranges.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
  GetRanges() = std::move(ranges);
}

bool IsCalledByLinkedCode(const void* return_address) {
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  const CodeRange* const range = FindRange(address - 1);
  if (range == nullptr || !range->is_of_process) return range != nullptr;
  Walk walk;
  walk.begin = address;
  _Unwind_Backtrace(&Look, &walk);
  return walk.is_linked;
}

}  // namespace backplane::check_backend
