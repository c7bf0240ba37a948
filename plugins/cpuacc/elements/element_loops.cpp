#include "elements/element_loops.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Shorter rows cost more by themselves than their elements do.
constexpr std::int64_t kMinRowLength = 32;

bool CanMerge(const std::vector<Strides>& tensors, std::size_t axis, std::int64_t next_extent) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const Strides& strides) {
    return strides[axis] == strides[axis + 1] * next_extent;
  });
}

void Erase(std::vector<std::int64_t>& values, std::size_t index) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Axes that all tensors pass over in one go become one.
void MergeAxes(std::vector<std::int64_t>& extents, std::vector<Strides>& tensors) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const bool is_merged = axis + 1 < extents.size() && CanMerge(tensors, axis, extents[axis + 1]);
    if (!is_merged && extents[axis] != 1) continue;
    if (is_merged) extents[axis + 1] *= extents[axis];
    Erase(extents, axis);
    for (Strides& strides : tensors) Erase(strides, axis);
  }
}

std::int64_t Multiply(const std::vector<std::int64_t>& extents, std::size_t from, std::size_t to) {
  std::int64_t product = 1;
  for (std::size_t axis = from; axis < to; ++axis) product *= extents[axis];
  return product;
}

RowAccess FindAccess(const ElementLoops& loops, const Strides& strides) {
  bool is_number = true;
  bool is_contiguous = true;
  for (std::size_t axis = loops.first_row_axis; axis < strides.size(); ++axis) {
    is_number = is_number && strides[axis] == 0;
    is_contiguous =
        is_contiguous && strides[axis] == Multiply(loops.extents, axis + 1, loops.extents.size());
  }
  if (is_number) return RowAccess::kNumber;
  return is_contiguous ? RowAccess::kContiguous : RowAccess::kExpanded;
}

/// After how many elements of a row a tensor repeats.
std::int64_t FindPeriod(const ElementLoops& loops, const Strides& strides) {
  std::size_t axis = loops.first_row_axis;
  while (axis < strides.size() && strides[axis] == 0) ++axis;
  return Multiply(loops.extents, axis, strides.size());
}

void ChooseRows(ElementLoops& loops) {
  loops.first_row_axis = loops.extents.size();
  while (loops.first_row_axis > 0 && loops.row_length < kMinRowLength) {
    loops.row_length *= loops.extents[--loops.first_row_axis];
  }
  loops.num_rows = Multiply(loops.extents, 0, loops.first_row_axis);
}

/// Blocks of whole periods get the same elements each.
void ChooseBlocks(ElementLoops& loops) {
  loops.block_length = std::min(kMaxBlockLength, std::max<std::int64_t>(loops.row_length, 1));
  for (const TensorLoops& tensor : loops.tensors) {
    const std::int64_t period = FindPeriod(loops, tensor.strides);
    if (tensor.access != RowAccess::kExpanded || period > kMaxBlockLength / 2) continue;
    loops.block_length = kMaxBlockLength / period * period;
    break;
  }
  for (TensorLoops& tensor : loops.tensors) {
    const std::int64_t period = FindPeriod(loops, tensor.strides);
    tensor.period = loops.block_length % period == 0 ? period : 0;
  }
  loops.blocks_per_row = (loops.row_length + loops.block_length - 1) / loops.block_length;
}

void CopyStrided(const float* from, std::int64_t stride, std::int64_t count, float* to) {
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
  } else if (stride == 0) {
    std::fill_n(to, count, *from);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
  }
}

/// Element by element, or in runs along the last axis.
void ExpandAll(const ElementLoops& loops, const TensorLoops& tensor, const float* row,
               std::int64_t start, std::int64_t count, float* expanded) {
  const std::size_t last = loops.extents.size() - 1;
  std::int64_t indices[RowCursor::kMaxAxes];
  for (std::size_t axis = last + 1; axis-- > loops.first_row_axis;) {
    indices[axis] = start % loops.extents[axis];
    start /= loops.extents[axis];
    row += indices[axis] * tensor.strides[axis];
  }
  while (count > 0) {
    const std::int64_t run = std::min(count, loops.extents[last] - indices[last]);
    CopyStrided(row, tensor.strides[last], run, expanded);
    expanded += run;
    count -= run;
    row += run * tensor.strides[last];
    indices[last] += run;
    for (std::size_t axis = last; indices[axis] == loops.extents[axis];) {
      row -= indices[axis] * tensor.strides[axis];
      indices[axis] = 0;
      if (axis == loops.first_row_axis) break;
      ++indices[--axis];
      row += tensor.strides[axis];
    }
  }
}

/// Copies what is there again and again, twice as much each time.
void Repeat(float* elements, std::int64_t period, std::int64_t count) {
  for (std::int64_t done = period; done < count;) {
    const std::int64_t more = std::min(done, count - done);
    std::memcpy(elements + done, elements, static_cast<std::size_t>(more) * sizeof(float));
    done += more;
  }
}

}  // namespace

ElementLoops MakeElementLoops(std::vector<std::int64_t> extents, std::vector<Strides> tensors) {
  ElementLoops loops;
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
    loops.num_rows = 0;
    return loops;
  }
  MergeAxes(extents, tensors);
  loops.extents = std::move(extents);
  ChooseRows(loops);
  for (Strides& strides : tensors) {
    TensorLoops tensor;
    tensor.access = FindAccess(loops, strides);
    tensor.strides = std::move(strides);
    loops.tensors.push_back(std::move(tensor));
  }
  ChooseBlocks(loops);
  return loops;
}

void ExpandElements(const ElementLoops& loops, const TensorLoops& tensor, const float* row,
                    std::int64_t start, std::int64_t count, float* expanded) {
  if (tensor.period == 0 || tensor.period >= count) {
    ExpandAll(loops, tensor, row, start, count, expanded);
  } else {
    ExpandAll(loops, tensor, row, start, tensor.period, expanded);
    Repeat(expanded, tensor.period, count);
  }
}

RowCursor::RowCursor(const ElementLoops& loops, std::int64_t row) : loops_(loops) {
  for (std::size_t tensor = 0; tensor < loops.tensors.size(); ++tensor) offsets_[tensor] = 0;
  for (std::size_t axis = loops.first_row_axis; axis-- > 0;) {
    indices_[axis] = row % loops.extents[axis];
    row /= loops.extents[axis];
    for (std::size_t tensor = 0; tensor < loops.tensors.size(); ++tensor) {
      offsets_[tensor] += indices_[axis] * loops.tensors[tensor].strides[axis];
    }
  }
}

void RowCursor::GoOn() {
  for (std::size_t axis = loops_.first_row_axis; axis-- > 0;) {
    const bool is_through = ++indices_[axis] == loops_.extents[axis];
    for (std::size_t tensor = 0; tensor < loops_.tensors.size(); ++tensor) {
      const std::int64_t stride = loops_.tensors[tensor].strides[axis];
      offsets_[tensor] += is_through ? stride * (1 - loops_.extents[axis]) : stride;
    }
    if (!is_through) return;
    indices_[axis] = 0;
  }
}

}  // namespace cpuacc
}  // namespace backplane
