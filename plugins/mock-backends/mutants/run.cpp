#include "run.hpp"

namespace mutants {

void ComputeMistaken(const Run& run, const Compute& compute) {
  for (const auto find : {&FindWrongResult, &FindWrongMemory, &FindWrongProcess}) {
    if (const Around around = find()) return around(run, compute);
  }
  compute();
}

}  // namespace mutants
