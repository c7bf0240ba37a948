#pragma once

/// How the work of a primitive is cut into parts for several threads.

#include "kernel_builders/primitive.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

struct AxisRange {
  std::int64_t begin;
  std::int64_t count;
};

/// 0 to `count` in so many parts at most, that begin where blocks do and are as long as can be
/// alike.
std::vector<AxisRange> DivideAxis(std::int64_t count, std::int64_t block, std::int64_t num_parts);

/// How many elements of an axis lie in one block; 0 where the layout is oneDNN's secret.
std::int64_t GetAxisBlock(const dnnl::memory::desc& desc, int axis);

/// The range of an axis of the argument, in the memory where all lies. False where that cuts a
/// block, or nobody knows where the elements lie.
bool CutAxis(PrimitiveArgument& argument, int axis, const AxisRange& range);

/// How many elements of memory, with those that fill up blocks, the argument takes, where there are
/// none of others between them; else 0.
std::int64_t CountIfDense(const dnnl::memory::desc& desc);

/// The argument with this id; null when there is none.
PrimitiveArgument* FindArgument(std::vector<PrimitiveArgument>& arguments, int id);
const PrimitiveArgument* FindArgument(const std::vector<PrimitiveArgument>& arguments, int id);

/// How the argument with this id lies; without any elements when there is none.
dnnl::memory::desc FindDesc(const std::vector<PrimitiveArgument>& arguments, int id);

/// The operand of the post-operation at a position has this id.
int GetOperandId(int position);

/// Cuts the operands of post-operations that have more than one element along the axis.
bool CutOperands(std::vector<PrimitiveArgument>& arguments, int axis, const AxisRange& range);

/// The same post-operations, with the operands as the arguments describe them.
dnnl::post_ops TakeOperands(const dnnl::post_ops& ops, std::vector<PrimitiveArgument>& arguments);

/// The kernel of a primitive that does the same to each image and channel: `make` gives the part
/// for the arguments, which describe some of them or all, or nothing when it would be slower than
/// its share of all; then nothing is cut.
std::unique_ptr<const Kernel> MakeKernelInParts(
    const std::vector<PrimitiveArgument>& whole, int num_threads,
    const std::function<
        std::optional<PrimitivePart>(const std::vector<PrimitiveArgument>& arguments)>& make);

}  // namespace cpuacc
}  // namespace backplane
