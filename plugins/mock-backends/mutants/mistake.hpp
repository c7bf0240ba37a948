#pragma once

/// The mistake that the backend of mutants.def makes.

namespace mutants {

enum class Mistake {
  kNone,
#define BACKPLANE_MUTANT(name, ...) k##name,
#define BACKPLANE_MUTANT_FILE(...)
#include "mutants.def"
#undef BACKPLANE_MUTANT
#undef BACKPLANE_MUTANT_FILE
};

/// Whether it is the one that the environment variable MOCK_MUTANT named when the library was
/// opened. None is made when it is not set.
bool Makes(Mistake mistake);

}  // namespace mutants
