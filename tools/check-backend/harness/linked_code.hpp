#pragma once

#include <string>

namespace backplane::check_backend {

/// Remembers which code is that of the process, of a backend that is open, and of the libraries to
/// which both are linked. Other libraries were opened by themselves, such as drivers.
/// Threads: one at a time, while nobody asks.
void RememberLinkedCode(const std::string& backend_path);

/// Whether a function that is going on, and returns to this address, was called by those files: by
/// them or, for them, by the standard library. Allocates nothing. [any thread]
bool IsCalledByLinkedCode(const void* return_address);

}  // namespace backplane::check_backend
