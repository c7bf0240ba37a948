#pragma once

namespace backplane::sandbox {

/// Empties every set of capabilities of this thread, and of what it starts, for ever. The set that
/// bounds what programs could gain stays full where only the superuser may empty it; a process that
/// gave up new privileges gains nothing by it. Returns errno, or 0.
int GiveUpCapabilities();

}  // namespace backplane::sandbox
