#include "inspection/limit_checks.hpp"

#include "diagnostics/file_words.hpp"

namespace backplane::inspection {
namespace {

Diagnostic DescribeExcess(std::uint64_t found, std::uint64_t most, const std::string& what,
                          const std::string& path) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kLimitExceeded, path,
      "has " + std::to_string(found) + " " + what + ", more than any backend needs",
      "found " + std::to_string(found) + " " + what + ", expected at most " + std::to_string(most) +
          ", so that a file takes no more time and memory than a host can spare",
      "remove the file if you do not know where it comes from; vendor: split the library, or keep "
      "what others do not need out of its tables (-fvisibility=hidden)");
}

}  // namespace

std::optional<Diagnostic> CheckLimit(elf::Limit limit, std::uint64_t found,
                                     const std::string& path) {
  const elf::LimitRow& row = elf::kLimitRows[static_cast<std::size_t>(limit)];
  if (found <= row.most) return std::nullopt;
  return DescribeExcess(found, row.most, row.what, path);
}

std::optional<Diagnostic> CheckLengthOfNames(std::uint64_t names_bytes, std::uint64_t table_bytes,
                                             const std::string& path) {
  constexpr std::uint64_t kMostUses = 4;  // of a byte of the table, on average
  constexpr std::uint64_t kAlwaysBytes = std::uint64_t{1} << 20U;
  const std::uint64_t most = kMostUses * table_bytes + kAlwaysBytes;
  if (names_bytes <= most) return std::nullopt;
  return DescribeExcess(names_bytes, most, "bytes in the names of its symbols together", path);
}

}  // namespace backplane::inspection
