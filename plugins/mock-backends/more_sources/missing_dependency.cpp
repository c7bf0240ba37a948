/// Needs libmock_absent.so, which is found when linking and not when opening.

extern "C" int FunctionOfAbsentLibrary();

extern "C" __attribute__((visibility("hidden"), used)) int UseAbsentLibrary() {
  return FunctionOfAbsentLibrary();
}
