// Takes an entry point from the library that it needs.
extern "C" const char* GetBackendId();

extern "C" __attribute__((visibility("hidden"), used)) const char* UseLender() {
  return GetBackendId();
}
