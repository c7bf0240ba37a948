/// A library of which the program and a backend have two versions, under two names.

extern "C" __attribute__((visibility("default"))) int MockVersioned() {
  return 1;
}
