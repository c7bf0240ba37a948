#pragma once

#include <functional>
#include <string>

namespace backplane::list_backends {

/// Is told of each file whose code is about to run in this process.
using OpeningNote = std::function<void(const std::string& path)>;

/// Runs `work` in a process that this one forks, waits for it and gives its exit code. When code of
/// a backend ends that process, says which and how on standard error, and gives kExitNoneUsable. A
/// process that is traced does the work itself: debuggers follow that one.
int RunWatched(const std::function<int(const OpeningNote&)>& work);

}  // namespace backplane::list_backends
