/// backplane-measure: times one backend, watched, for libbackplane-host. Not called by hand.

#include <backplane/runtime/measure_program.hpp>

int main(int argc, char** argv) {
  return backplane::RunMeasureProgram(argc, argv);
}
