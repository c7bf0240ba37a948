/// Needs two functions that nobody defines.

extern "C" int AbsentMockFunction(int value);

namespace absent {
int AnotherAbsentFunction(const char* text);
}

extern "C" __attribute__((visibility("hidden"), used)) int UseAbsentFunctions() {
  return AbsentMockFunction(1) + absent::AnotherAbsentFunction("");
}
