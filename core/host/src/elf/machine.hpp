#pragma once

/// Processors, as ELF files number them and as people name them.

#include <string>

namespace backplane::elf {

/// What this program was built for, in the numbers of ELF.
extern const unsigned kHostMachine;
extern const unsigned char kHostClass;
extern const unsigned char kHostByteOrder;

/// "x86-64", "AArch64", ... or "machine 4711".
std::string GetMachineName(unsigned machine);

/// "64-bit (ELFCLASS64)", ...
std::string GetClassName(unsigned char elf_class);

/// "little-endian" or "big-endian".
std::string GetByteOrderName(unsigned char byte_order);

/// "FreeBSD", ... or "operating system 77".
std::string GetOsAbiName(unsigned char os_abi);

}  // namespace backplane::elf
