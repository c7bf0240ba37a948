#pragma once

#include <backplane/api/memory_view.hpp>

namespace backplane {

/// Copies the elements of one tensor to another with the same type and dims, each with its own
/// strides. Both have addresses; they do not overlap. Runs of bytes that are dense on both sides
/// are copied at once.
void CopyTensor(const MemoryView& from, const MemoryView& to);

}  // namespace backplane
