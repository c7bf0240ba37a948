#pragma once

#include <backplane/api/memory_view.hpp>

#include <string>

namespace backplane {

/// What keeps the file of a view from being used, as "found ...; expected ...", or "": it is not
/// open, or smaller than the view says. A file that will be mapped must also allow the access.
std::string FindFileFault(const MemoryView& memory, MemoryAccess access);

}  // namespace backplane
