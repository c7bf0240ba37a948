#pragma once

/// Convolutions of floats by oneDNN's direct algorithm.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/trial.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Rounds the input and constant weights to bfloat16. Null: the model and the options do not allow
/// it, or oneDNN has no kernel with AMX.
std::unique_ptr<const Kernel> MakeBfloat16Convolution(KernelMaker& maker);

/// Reads and writes channels in blocks; the weights are constant. Null: the tensors have no such
/// blocks, or oneDNN is slow there.
std::unique_ptr<const Kernel> MakeBlockedConvolution(KernelMaker& maker);

/// Any convolution, in the layouts that oneDNN chooses.
std::unique_ptr<const Kernel> MakeAnyConvolution(KernelMaker& maker);

/// MakeBlockedConvolution, or else MakeAnyConvolution, to be tried out beside other ways. Borrows
/// the maker.
Way MakeDirectWay(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
