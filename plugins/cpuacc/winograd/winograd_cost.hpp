#pragma once

/// A model of how long convolutions by 3 x 3 take, so that few need be timed.

#include "winograd/image_problem.hpp"

namespace backplane {
namespace cpuacc {

/// Times, in multiplications of the direct algorithm by one thread. Machines differ in how long one
/// takes, not in the ratios.
struct WinogradCost {
  double direct = 0.0;
  double tiles = 0.0;
};

/// Estimates oneDNN's direct algorithm, and tiles of Winograd's.
WinogradCost EstimateCost(const ImageProblem& problem, int num_threads);

enum class Judgement { kTilesAreFaster, kDirectIsFaster, kIsClose };

/// Clear where one takes at least a quarter longer than the other.
Judgement Judge(const WinogradCost& cost);

}  // namespace cpuacc
}  // namespace backplane
