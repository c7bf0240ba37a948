#pragma once

#include "spawn/processor_slots.hpp"

#include <functional>
#include <vector>

namespace backplane::scanning {

/// A piece of work that does not depend on others. It holds the slot of a processor.
using Task = std::function<void(spawn::HeldSlot& slot)>;

/// Does all of them, one for each processor at a time, and more while some of them sleep; returns
/// when all are done. What one throws, as memory that is refused, ends that one alone, silently.
void RunAhead(const std::vector<Task>& tasks);

}  // namespace backplane::scanning
