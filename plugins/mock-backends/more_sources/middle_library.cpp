/// A library that needs another one, which is not found.

extern "C" int FunctionOfAbsentLibrary();

extern "C" __attribute__((visibility("default"))) int FunctionOfMiddleLibrary() {
  return FunctionOfAbsentLibrary();
}
