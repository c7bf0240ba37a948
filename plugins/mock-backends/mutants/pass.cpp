#include "pass.hpp"

#include "deeds.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace mutants {
namespace {

using backplane::mock::Deed;

struct DeedName {
  const char* name;
  Deed deed;
};

constexpr DeedName kDeeds[] = {
#define BACKPLANE_DEED(name) {#name, Deed::k##name},
#include "deeds.def"
#undef BACKPLANE_DEED
};

struct PlaceName {
  const char* name;
  Place place;
};

constexpr PlaceName kPlaces[] = {
    {"context", Place::kContext}, {"register", Place::kRegister}, {"support", Place::kSupport},
    {"compile", Place::kCompile}, {"load", Place::kLoad},         {"execute", Place::kExecute},
    {"unload", Place::kUnload},
};

struct Wish {
  Deed deed = Deed::kNothing;
  Place place = Place::kNowhere;
};

Wish ReadWish() {
  const char* variable = std::getenv("MOCK_DEED");
  if (variable == nullptr) return {};
  const std::string text = variable;
  for (const DeedName& deed : kDeeds) {
    for (const PlaceName& place : kPlaces) {
      if (text == std::string(deed.name) + " in " + place.name) return {deed.deed, place.place};
    }
  }
  std::fprintf(stderr, "MOCK_DEED=%s is no deed in a place\n", variable);
  std::abort();
}

const Wish wish = ReadWish();

}  // namespace

void Pass(Place place) {
  if (place == wish.place) backplane::mock::Do(wish.deed);
}

}  // namespace mutants
