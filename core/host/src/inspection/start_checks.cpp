#include "inspection/elf_checks.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/file.hpp"
#include "elf/machine.hpp"
#include "inspection/foreign_format.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

namespace backplane::inspection {
namespace {

unsigned char GetIdentByte(const FileStart& start, std::size_t index) {
  return static_cast<unsigned char>(start.beginning[index]);
}

// e_machine lies at the same place in every ELF file; 0 when the file ends before it.
unsigned ReadMachine(const FileStart& start) {
  constexpr std::size_t kMachineOffset = EI_NIDENT + sizeof(Elf64_Half);
  if (start.beginning.size() < kMachineOffset + sizeof(Elf64_Half)) return EM_NONE;
  const unsigned low = GetIdentByte(start, kMachineOffset);
  const unsigned high = GetIdentByte(start, kMachineOffset + 1);
  return GetIdentByte(start, EI_DATA) == ELFDATA2LSB ? high << 8 | low : low << 8 | high;
}

std::string DescribeForWhat(const FileStart& start) {
  return elf::GetMachineName(ReadMachine(start)) + ", " +
         elf::GetClassName(GetIdentByte(start, EI_CLASS)) + ", " +
         elf::GetByteOrderName(GetIdentByte(start, EI_DATA));
}

std::string DescribeForThis() {
  return elf::GetMachineName(elf::kHostMachine) + ", " + elf::GetClassName(elf::kHostClass) + ", " +
         elf::GetByteOrderName(elf::kHostByteOrder);
}

Diagnostic DescribeMismatch(const FileStart& start, DiagnosticCode code, const std::string& found,
                            const std::string& expected) {
  return diagnostics::DescribeFile(
      code, start.path, "is " + found + ", but this program is " + expected,
      "found a file for " + DescribeForWhat(start) + "; expected one for " + DescribeForThis(),
      "get a build of this backend for " + elf::GetMachineName(elf::kHostMachine));
}

Diagnostic DescribeIncomplete(const FileStart& start, const char* part, std::uint64_t bytes) {
  return diagnostics::DescribeFile(DiagnosticCode::kTruncatedFile, start.path, "is truncated",
                                   std::string(part) + " needs " + std::to_string(bytes) +
                                       " bytes, the file has " + std::to_string(start.size_bytes),
                                   "copy the file again from where it came from");
}

ElfW(Ehdr) ReadHeader(const FileStart& start) {
  ElfW(Ehdr) header;
  std::memcpy(&header, start.beginning.data(), sizeof(header));
  return header;
}

}  // namespace

std::optional<Diagnostic> CheckNotEmpty(const FileStart& start) {
  if (!start.beginning.empty()) return std::nullopt;
  return diagnostics::DescribeFile(DiagnosticCode::kEmptyFile, start.path, "is empty",
                                   "found 0 bytes, expected an ELF shared object",
                                   "copy the file again from where it came from");
}

std::optional<Diagnostic> CheckIsElf(const FileStart& start) {
  if (start.beginning.compare(0, SELFMAG, ELFMAG) == 0) return std::nullopt;
  if (start.beginning == std::string_view(ELFMAG, SELFMAG).substr(0, start.beginning.size())) {
    return diagnostics::DescribeFile(
        DiagnosticCode::kTruncatedFile, start.path, "is too short to be an ELF file",
        "found " + std::to_string(start.size_bytes) + " bytes, expected at least " +
            std::to_string(sizeof(ElfW(Ehdr))),
        "copy the file again from where it came from");
  }
  const ForeignFormat format = RecogniseForeignFormat(start.beginning);
  return diagnostics::DescribeFile(
      DiagnosticCode::kNotElf, start.path, "is not an ELF file: it looks like " + format.name,
      "found " + format.name + " of " + std::to_string(start.size_bytes) +
          " bytes, expected an ELF shared object",
      format.fix);
}

std::optional<Diagnostic> CheckIdentification(const FileStart& start) {
  if (start.beginning.size() < EI_NIDENT) {
    return DescribeIncomplete(start, "the ELF identification", EI_NIDENT);
  }
  const unsigned elf_class = GetIdentByte(start, EI_CLASS);
  if (elf_class != ELFCLASS32 && elf_class != ELFCLASS64) {
    return diagnostics::DescribeDamage(start.path, "found ELF class " + std::to_string(elf_class) +
                                                       ", expected 1 (32-bit) or 2 (64-bit)");
  }
  const unsigned byte_order = GetIdentByte(start, EI_DATA);
  if (byte_order != ELFDATA2LSB && byte_order != ELFDATA2MSB) {
    return diagnostics::DescribeDamage(start.path,
                                       "found byte order " + std::to_string(byte_order) +
                                           ", expected 1 (little-endian) or 2 (big-endian)");
  }
  const unsigned version = GetIdentByte(start, EI_VERSION);
  if (version != EV_CURRENT) {
    return diagnostics::DescribeDamage(
        start.path, "found ELF version " + std::to_string(version) + ", expected 1");
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckClass(const FileStart& start) {
  const unsigned char elf_class = GetIdentByte(start, EI_CLASS);
  if (elf_class == elf::kHostClass) return std::nullopt;
  return DescribeMismatch(start, DiagnosticCode::kWrongClass, elf::GetClassName(elf_class),
                          elf::GetClassName(elf::kHostClass));
}

std::optional<Diagnostic> CheckByteOrder(const FileStart& start) {
  const unsigned char byte_order = GetIdentByte(start, EI_DATA);
  if (byte_order == elf::kHostByteOrder) return std::nullopt;
  return DescribeMismatch(start, DiagnosticCode::kWrongByteOrder, elf::GetByteOrderName(byte_order),
                          elf::GetByteOrderName(elf::kHostByteOrder));
}

std::optional<Diagnostic> CheckOsAbi(const FileStart& start) {
  const unsigned char os_abi = GetIdentByte(start, EI_OSABI);
  if (os_abi == ELFOSABI_SYSV || os_abi == ELFOSABI_GNU) return std::nullopt;
  const std::string found = elf::GetOsAbiName(os_abi);
  return diagnostics::DescribeFile(DiagnosticCode::kWrongOsAbi, start.path,
                                   "is built for " + found + ", but this program runs on Linux",
                                   "found OS ABI " + std::to_string(os_abi) + " (" + found +
                                       "), expected 0 (System V) or 3 (GNU/Linux)",
                                   "get a build of this backend for Linux");
}

std::optional<Diagnostic> CheckHeaderIsComplete(const FileStart& start) {
  if (start.beginning.size() >= sizeof(ElfW(Ehdr))) return std::nullopt;
  return DescribeIncomplete(start, "the ELF header", sizeof(ElfW(Ehdr)));
}

// A file with very many sections states their number in its first section header.
std::optional<Diagnostic> CheckSectionCount(const FileStart& start) {
  const ElfW(Ehdr) header = ReadHeader(start);
  if (header.e_shnum != 0 || header.e_shoff == 0) return std::nullopt;
  ElfW(Shdr) section;
  const ssize_t read_bytes =
      pread(start.descriptor, &section, sizeof(section), static_cast<off_t>(header.e_shoff));
  if (read_bytes != static_cast<ssize_t>(sizeof(section))) return std::nullopt;
  if (section.sh_size <= (start.size_bytes - header.e_shoff) / sizeof(section)) {
    return std::nullopt;
  }
  return diagnostics::DescribeDamage(start.path, "found " + std::to_string(section.sh_size) +
                                                     " section headers in a file of " +
                                                     std::to_string(start.size_bytes) + " bytes");
}

}  // namespace backplane::inspection
