#include "diagnostics/file_words.hpp"
#include "inspection/elf_checks.hpp"

#include <elf.h>
#include <link.h>

#include <string_view>

namespace backplane::inspection {
namespace {

struct SanitizerRuntime {
  std::string_view library;  // how its file name begins
  const char* name;
};

// Only those that must be in a process from its start. Clang's are usually in the program itself.
constexpr SanitizerRuntime kRuntimes[] = {
    {"libasan.so", "AddressSanitizer"},           {"libtsan.so", "ThreadSanitizer"},
    {"libhwasan.so", "HWAddressSanitizer"},       {"libclang_rt.asan", "AddressSanitizer"},
    {"libclang_rt.tsan", "ThreadSanitizer"},      {"libclang_rt.msan", "MemorySanitizer"},
    {"libclang_rt.hwasan", "HWAddressSanitizer"},
};

const SanitizerRuntime* FindRuntime(std::string_view library) {
  for (const SanitizerRuntime& row : kRuntimes) {
    if (diagnostics::BeginsWith(library, row.library)) return &row;
  }
  return nullptr;
}

int IsRuntimeLoaded(dl_phdr_info* object, std::size_t /*size*/, void* runtime) {
  const std::string name =
      diagnostics::GetFileName(object->dlpi_name != nullptr ? object->dlpi_name : "");
  return diagnostics::BeginsWith(name, static_cast<const SanitizerRuntime*>(runtime)->library) ? 1
                                                                                               : 0;
}

bool IsInThisProcess(SanitizerRuntime runtime) {
  return dl_iterate_phdr(IsRuntimeLoaded, &runtime) != 0;
}

}  // namespace

std::optional<Diagnostic> CheckSanitizerRuntimes(const elf::File& elf, const std::string& path) {
  for (const elf::Dynamic& entry : elf.GetDynamicEntries()) {
    if (entry.d_tag != DT_NEEDED) continue;
    const std::string_view library = elf.GetDynamicString(entry.d_un.d_val).value_or("");
    const SanitizerRuntime* runtime = FindRuntime(library);
    if (runtime == nullptr || IsInThisProcess(*runtime)) continue;
    return diagnostics::DescribeFile(
        DiagnosticCode::kSanitizerRuntime, path,
        std::string("is built with ") + runtime->name + ", which this program is not",
        "found that it needs " + std::string(library) +
            ", which must be in the process from its start and would end it "
            "otherwise; expected a build without sanitizers",
        "get a build without sanitizers; to test with one, link the backend into a program that is "
        "built with it (docs/backend-developer-guide.md#sanitizers)");
  }
  return std::nullopt;
}

}  // namespace backplane::inspection
