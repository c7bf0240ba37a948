#include "mistake.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mutants {
namespace {

struct NamedMistake {
  const char* name;
  Mistake mistake;
};

constexpr NamedMistake kMistakes[] = {
#define BACKPLANE_MUTANT(name, ...) {#name, Mistake::k##name},
#define BACKPLANE_MUTANT_FILE(...)
#include "mutants.def"
#undef BACKPLANE_MUTANT
#undef BACKPLANE_MUTANT_FILE
};

Mistake Choose() {
  const char* name = std::getenv("MOCK_MUTANT");
  if (name == nullptr) return Mistake::kNone;
  for (const NamedMistake& row : kMistakes) {
    if (std::strcmp(row.name, name) == 0) return row.mistake;
  }
  std::fprintf(stderr, "MOCK_MUTANT=%s is no row of mutants.def\n", name);
  std::abort();
}

Mistake GetChosen() {
  static const Mistake kChosen = Choose();
  return kChosen;
}

}  // namespace

bool Makes(Mistake mistake) {
  return mistake == GetChosen();
}

}  // namespace mutants
