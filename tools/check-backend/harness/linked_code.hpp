#pragma once

#include <string>

namespace backplane::check_backend {

/// Remembers which code is that of a backend that is open and of the libraries to which it is
/// linked, and which is that of the process, which stands between: the host above all. Other
/// libraries were opened by themselves, such as drivers.
/// Threads: one at a time, while nobody asks.
void RememberLinkedCode(const std::string& backend_path);

/// Whether a function that is going on, and returns to this address, was called by the backend: by
/// the files that it alone is linked to or, for them, by those of the process. Allocates nothing.
/// [any thread]
bool IsCalledByLinkedCode(const void* return_address);

}  // namespace backplane::check_backend
