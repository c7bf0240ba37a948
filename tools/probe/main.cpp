/// backplane-probe and backplane-worker: run one backend, watched, for libbackplane-host. Not
/// called by hand.

#include <backplane/host/probe_program.hpp>

int main(int argc, char** argv) {
  return backplane::RunProbeProgram(argc, argv);
}
