#pragma once

/// Checks of the first bytes of a file, before it is known to be ELF.

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace backplane::inspection {

struct FileStart {
  const std::string& path;
  int descriptor = -1;
  std::uint64_t size_bytes = 0;
  std::string_view beginning;  // the first bytes
};

/// Each gives what is wrong, or nothing. In this order; the first that fails ends the inspection.
using StartCheck = std::optional<Diagnostic> (*)(const FileStart&);

std::optional<Diagnostic> CheckNotEmpty(const FileStart& start);
std::optional<Diagnostic> CheckIsElf(const FileStart& start);
std::optional<Diagnostic> CheckIdentification(const FileStart& start);
std::optional<Diagnostic> CheckClass(const FileStart& start);
std::optional<Diagnostic> CheckByteOrder(const FileStart& start);
std::optional<Diagnostic> CheckOsAbi(const FileStart& start);
std::optional<Diagnostic> CheckHeaderIsComplete(const FileStart& start);
std::optional<Diagnostic> CheckSectionCount(const FileStart& start);

constexpr StartCheck kStartChecks[] = {
    CheckNotEmpty,  CheckIsElf, CheckIdentification,   CheckClass,
    CheckByteOrder, CheckOsAbi, CheckHeaderIsComplete, CheckSectionCount,
};

}  // namespace backplane::inspection
