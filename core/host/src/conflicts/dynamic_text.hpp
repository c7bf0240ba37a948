#pragma once

#include "elf/file.hpp"

#include <string_view>

namespace backplane::conflicts {

/// Whether a text stands within the names of a file's dynamic symbols and libraries, alone or
/// within another. Quicker than to look at every symbol; most files have none of what is looked
/// for.
bool HasDynamicText(const elf::File& elf, std::string_view text);

}  // namespace backplane::conflicts
