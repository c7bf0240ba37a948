#include "inspection/machine.hpp"

#include <elf.h>

namespace backplane::inspection {
namespace {

struct Machine {
  unsigned number;
  const char* name;
};

constexpr Machine kMachines[] = {
    {EM_386, "x86 (i386)"},     {EM_X86_64, "x86-64"},       {EM_AARCH64, "AArch64"},
    {EM_ARM, "ARM (32-bit)"},   {EM_RISCV, "RISC-V"},        {EM_PPC64, "PowerPC64"},
    {EM_PPC, "PowerPC"},        {EM_S390, "IBM Z (s390)"},   {EM_MIPS, "MIPS"},
    {EM_SPARCV9, "SPARC V9"},   {EM_LOONGARCH, "LoongArch"}, {EM_IA_64, "Itanium"},
    {EM_68K, "Motorola 68000"}, {EM_SH, "SuperH"},           {EM_BPF, "BPF"},
    {EM_CUDA, "NVIDIA CUDA"},   {EM_AMDGPU, "AMD GPU"},
};

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
  for (const Machine& row : kMachines) {
    if (row.number == machine) return row.name;
  }
  return "machine " + std::to_string(machine);
}

std::string GetClassName(unsigned char elf_class) {
  return elf_class == ELFCLASS64 ? "64-bit (ELFCLASS64)" : "32-bit (ELFCLASS32)";
}

std::string GetByteOrderName(unsigned char byte_order) {
  return byte_order == ELFDATA2LSB ? "little-endian" : "big-endian";
}

}  // namespace backplane::inspection
