#include "diagnostics/file_words.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/limit_checks.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <limits>

namespace backplane::inspection {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

// kNoEnd when the sum does not fit.
std::uint64_t GetEnd(std::uint64_t offset, std::uint64_t size_bytes) {
  return size_bytes > kNoEnd - offset ? kNoEnd : offset + size_bytes;
}

Diagnostic DescribeTruncation(const elf::File& elf, const std::string& path,
                              const std::string& part, std::uint64_t end) {
  return diagnostics::DescribeFile(DiagnosticCode::kTruncatedFile, path, "is truncated",
                                   part + " needs the first " + std::to_string(end) +
                                       " bytes, the file has " + std::to_string(elf.GetSizeBytes()),
                                   "copy the file again from where it came from");
}

Diagnostic DescribeDamagedSegment(const std::string& path, std::size_t index,
                                  const std::string& finding) {
  return diagnostics::DescribeDamage(path, "segment " + std::to_string(index) + " " + finding);
}

bool IsRead(const elf::Segment& segment) {
  return segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC || segment.p_type == PT_NOTE;
}

// What the loader assumes of one PT_LOAD; empty when it holds.
std::string FindFaultOfLoad(const elf::Segment& segment) {
  if (segment.p_filesz > segment.p_memsz) {
    return "has " + std::to_string(segment.p_filesz) + " bytes in the file, but only " +
           std::to_string(segment.p_memsz) + " in memory";
  }
  if (GetEnd(segment.p_vaddr, segment.p_memsz) == kNoEnd) {
    return "has " + std::to_string(segment.p_memsz) + " bytes from address " +
           diagnostics::ToHex(segment.p_vaddr) + ", which is more than there are addresses";
  }
  const std::uint64_t alignment = std::max<std::uint64_t>(segment.p_align, 1);
  if ((alignment & (alignment - 1)) != 0) {
    return "has the alignment " + std::to_string(alignment) + ", expected a power of two";
  }
  if (((segment.p_vaddr - segment.p_offset) & (alignment - 1)) != 0) {
    return "has the address " + diagnostics::ToHex(segment.p_vaddr) + " and the offset " +
           diagnostics::ToHex(segment.p_offset) + ", which its alignment " +
           diagnostics::ToHex(alignment) + " does not allow";
  }
  return {};
}

}  // namespace

std::optional<Diagnostic> CheckSegmentTable(const elf::File& elf, const std::string& path) {
  const elf::Header& header = elf.GetHeader();
  if (header.e_phentsize != sizeof(ElfW(Phdr))) {
    return diagnostics::DescribeDamage(
        path, "found program headers of " + std::to_string(header.e_phentsize) +
                  " bytes, expected " + std::to_string(sizeof(ElfW(Phdr))));
  }
  if (header.e_phnum == 0) return diagnostics::DescribeDamage(path, "it has no program headers");
  const std::uint64_t end = GetEnd(header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr)));
  if (end > elf.GetSizeBytes()) {
    return DescribeTruncation(elf, path, "the table of program headers", end);
  }
  if (elf.GetSegments().empty())
    return diagnostics::DescribeDamage(path, "program headers cannot be read");
  return CheckLimit(elf::Limit::kSegments, header.e_phnum, path);
}

std::optional<Diagnostic> CheckSegmentsAreInFile(const elf::File& elf, const std::string& path) {
  std::size_t last = 0;
  std::uint64_t last_end = 0;
  for (std::size_t i = 0; i < elf.GetSegments().size(); ++i) {
    const elf::Segment& segment = elf.GetSegments()[i];
    const std::uint64_t end = GetEnd(segment.p_offset, segment.p_filesz);
    if (!IsRead(segment) || end <= last_end) continue;
    last = i;
    last_end = end;
  }
  if (last_end == kNoEnd) {
    return DescribeDamagedSegment(path, last, "has an offset and a size that no file can have");
  }
  if (last_end <= elf.GetSizeBytes()) return std::nullopt;
  return DescribeTruncation(elf, path, "segment " + std::to_string(last), last_end);
}

// The loader does not need the section headers, which stand last in the file. That they are not
// there shows that the file was cut; tools that strip them say so in the header.
std::optional<Diagnostic> CheckSectionsAreInFile(const elf::File& elf, const std::string& path) {
  const elf::Header& header = elf.GetHeader();
  if (header.e_shoff == 0) return std::nullopt;
  const std::uint64_t count = std::max<std::uint64_t>(header.e_shnum, 1);
  const std::uint64_t end = GetEnd(header.e_shoff, count * header.e_shentsize);
  if (end <= elf.GetSizeBytes()) return std::nullopt;
  return DescribeTruncation(elf, path, "the table of section headers", end);
}

std::optional<Diagnostic> CheckLoadSegments(const elf::File& elf, const std::string& path) {
  const elf::Segment* previous = nullptr;
  for (std::size_t i = 0; i < elf.GetSegments().size(); ++i) {
    const elf::Segment& segment = elf.GetSegments()[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::string fault = FindFaultOfLoad(segment);
    if (!fault.empty()) return DescribeDamagedSegment(path, i, fault);
    if (previous != nullptr && segment.p_vaddr < previous->p_vaddr + previous->p_memsz) {
      return DescribeDamagedSegment(path, i,
                                    "has the address " + diagnostics::ToHex(segment.p_vaddr) +
                                        ", which lies below the end of the one before it");
    }
    previous = &segment;
  }
  if (previous == nullptr)
    return diagnostics::DescribeDamage(path, "it has no segment to load (PT_LOAD)");
  return std::nullopt;
}

// Segments may lie in each other, so that each would be read again and again.
std::optional<Diagnostic> CheckNoteSegments(const elf::File& elf, const std::string& path) {
  std::uint64_t notes_bytes = 0;
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_NOTE && segment.p_type != PT_GNU_PROPERTY) continue;
    notes_bytes += std::min(segment.p_filesz, elf.GetSizeBytes());
  }
  return CheckLimit(elf::Limit::kNoteBytes, notes_bytes, path);
}

}  // namespace backplane::inspection
