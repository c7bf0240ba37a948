/// A library whose constructor crashes.

#include "deeds.hpp"

extern "C" void CrashingMockFunction();

namespace {

struct Crash {
  Crash() { backplane::mock::Do(backplane::mock::Deed::kSegfault); }
};

[[maybe_unused]] const Crash crash;

}  // namespace

__attribute__((visibility("default"))) void CrashingMockFunction() {}
