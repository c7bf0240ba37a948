// Views of memory that a backend in another process describes.
#pragma once

#include "isolation/worker_link.hpp"

#include <backplane/api/memory_view.hpp>

#include <optional>

namespace backplane::isolation {

/// The next view of a reply, as this process sees the memory: with an address when it lies in an
/// area that both have, and with a descriptor when one came along, which `descriptor` then owns.
/// Nothing: there is none, or what it says cannot be true.
std::optional<MemoryView> TakeView(WorkerLink& link, Reply& reply,
                                   discovery::FileDescriptor& descriptor);

}  // namespace backplane::isolation
