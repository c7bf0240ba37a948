#pragma once

/// One run of a layer, and what can go wrong with it.

#include "layer.hpp"
#include "memory/work.hpp"
#include "mistake.hpp"
#include "state.hpp"

#include <functional>

namespace mutants {

struct Run {
  const Layer& layer;
  const memory_mock::Tensors& inputs;
  const memory_mock::Tensors& outputs;
  State& state;
  bool has_foreign_input;  // that is of none of the backend's kinds
  bool has_own_output;     // that is of one of them
};

using Compute = std::function<void()>;

/// Has `compute` compute the outputs, with one mistake.
using Around = void (*)(const Run& run, const Compute& compute);

struct MistakeInRun {
  Mistake mistake;
  Around around;
};

// That of this library, from the table of the file with this name.
// Null: it is none of these.
Around FindWrongResult();
Around FindWrongMemory();
Around FindWrongProcess();

/// Has `compute` compute the outputs, with the mistake of this library when it is one of these.
void ComputeMistaken(const Run& run, const Compute& compute);

}  // namespace mutants
