#include "elf/machine.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>

namespace backplane::elf {
namespace {

struct NumberedName {
  unsigned number;
  const char* name;
};

constexpr NumberedName kMachines[] = {
    {EM_386, "x86 (i386)"},     {EM_X86_64, "x86-64"},       {EM_AARCH64, "AArch64"},
    {EM_ARM, "ARM (32-bit)"},   {EM_RISCV, "RISC-V"},        {EM_PPC64, "PowerPC64"},
    {EM_PPC, "PowerPC"},        {EM_S390, "IBM Z (s390)"},   {EM_MIPS, "MIPS"},
    {EM_SPARCV9, "SPARC V9"},   {EM_LOONGARCH, "LoongArch"}, {EM_IA_64, "Itanium"},
    {EM_68K, "Motorola 68000"}, {EM_SH, "SuperH"},           {EM_BPF, "BPF"},
    {EM_CUDA, "NVIDIA CUDA"},   {EM_AMDGPU, "AMD GPU"},
};

constexpr NumberedName kOsAbis[] = {
    {ELFOSABI_SYSV, "System V"},      {ELFOSABI_HPUX, "HP-UX"},
    {ELFOSABI_NETBSD, "NetBSD"},      {ELFOSABI_GNU, "GNU/Linux"},
    {ELFOSABI_SOLARIS, "Solaris"},    {ELFOSABI_AIX, "AIX"},
    {ELFOSABI_IRIX, "IRIX"},          {ELFOSABI_FREEBSD, "FreeBSD"},
    {ELFOSABI_TRU64, "Tru64"},        {ELFOSABI_OPENBSD, "OpenBSD"},
    {ELFOSABI_ARM_AEABI, "bare ARM"}, {ELFOSABI_STANDALONE, "no operating system"},
};

std::string FindName(const NumberedName* begin, const NumberedName* end, unsigned number,
                     const char* kind) {
  const NumberedName* row = std::find_if(
      begin, end, [number](const NumberedName& named) { return named.number == number; });
  return row != end ? row->name : kind + std::to_string(number);
}

}  // namespace

#if defined(__x86_64__)
const unsigned kHostMachine = EM_X86_64;
#elif defined(__aarch64__)
const unsigned kHostMachine = EM_AARCH64;
#elif defined(__riscv)
const unsigned kHostMachine = EM_RISCV;
#elif defined(__powerpc64__)
const unsigned kHostMachine = EM_PPC64;
#elif defined(__s390__)
const unsigned kHostMachine = EM_S390;
#elif defined(__arm__)
const unsigned kHostMachine = EM_ARM;
#elif defined(__i386__)
const unsigned kHostMachine = EM_386;
#else
#error "add the number that ELF has for this processor"
#endif

const unsigned char kHostClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
const unsigned char kHostByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

std::string GetMachineName(unsigned machine) {
  return FindName(std::begin(kMachines), std::end(kMachines), machine, "machine ");
}

std::string GetOsAbiName(unsigned char os_abi) {
  return FindName(std::begin(kOsAbis), std::end(kOsAbis), os_abi, "operating system ");
}

std::string GetClassName(unsigned char elf_class) {
  return elf_class == ELFCLASS64 ? "64-bit (ELFCLASS64)" : "32-bit (ELFCLASS32)";
}

std::string GetByteOrderName(unsigned char byte_order) {
  return byte_order == ELFDATA2LSB ? "little-endian" : "big-endian";
}

}  // namespace backplane::elf
