#include "conflicts/dynamic_text.hpp"

#include <elf.h>

#include <cstring>
#include <optional>

namespace backplane::conflicts {

bool HasDynamicText(const elf::File& elf, std::string_view text) {
  const auto address = elf.FindDynamicValue(DT_STRTAB);
  const auto size_bytes = elf.FindDynamicValue(DT_STRSZ);
  if (!address || !size_bytes) return false;
  const auto range = elf.FindRange(*address, *size_bytes);
  const auto bytes = range ? elf.ReadBytes(*range) : std::nullopt;
  return bytes && memmem(bytes->data(), bytes->size(), text.data(), text.size()) != nullptr;
}

}  // namespace backplane::conflicts
