/// Needs libmock_middle.so, and through it libmock_absent.so.

extern "C" int FunctionOfMiddleLibrary();

extern "C" __attribute__((visibility("hidden"), used)) int UseMiddleLibrary() {
  return FunctionOfMiddleLibrary();
}
