#pragma once

/// Winograd's algorithm for convolutions: fewer multiplications, more additions, and another error.

#include "making/kernel_maker.hpp"
#include "making/trial.hpp"

namespace backplane {
namespace cpuacc {

/// Whether `winograd` is faster than `rival` on this machine with the threads that are set, and its
/// error small beside `direct`, which may be the rival. Input 1, the weights, is constant. Runs
/// them unless that has been decided before.
bool PrefersWinograd(const KernelMaker& maker, const Way& direct, const Way& rival,
                     const Way& winograd);

}  // namespace cpuacc
}  // namespace backplane
