#pragma once

namespace backplane {

/// How often this thread has called an operator new of this program.
long CountAllocations();

}  // namespace backplane
