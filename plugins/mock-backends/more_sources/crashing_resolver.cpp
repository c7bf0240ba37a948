/// A function whose address is found by code that crashes, while the file is being relocated.

extern "C" {

using Function = int (*)();

__attribute__((no_sanitize("undefined"), visibility("hidden"))) Function ResolveMockFunction() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return nullptr;
}

__attribute__((ifunc("ResolveMockFunction"), visibility("hidden"))) int MockFunction();

extern Function mock_function_address;
Function mock_function_address = MockFunction;
}
