/// A library that exports an entry point of a backend.

extern "C" __attribute__((visibility("default"))) void* BackendFactory() {
  return nullptr;
}
