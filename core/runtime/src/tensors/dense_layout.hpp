#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {

/// Sets type, dims and the strides of a tensor whose elements lie one after the other.
void SetDenseLayout(MemoryView& view, const TensorInfo& info);

/// A view of a dense tensor, of its size, which lies nowhere yet.
MemoryView MakeDenseView(const TensorInfo& info);

/// Whether the elements lie one after the other, in a view of at most kMaxRank axes. Strides along
/// axes of one index are never used, and neither are those of a tensor without elements.
bool IsDense(const MemoryView& view);

}  // namespace backplane
