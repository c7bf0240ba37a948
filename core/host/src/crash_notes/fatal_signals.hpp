#pragma once

namespace backplane::crash_notes {

/// Installs handlers that write a note and then do as the former ones would, on the stack for
/// handlers of the thread. Those that are installed stay as they are. [one at a time]
void InstallHandlers();

/// Puts the former handlers back, where no others came since; those that came may call ours, which
/// then only calls the former ones. [one at a time]
void RestoreHandlers();

}  // namespace backplane::crash_notes
