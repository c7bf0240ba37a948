// A library that is no backend and has one function whose name is like that of an entry point.
extern "C" __attribute__((visibility("default"))) int GetVersions();

int GetVersions() {
  return 3;
}
