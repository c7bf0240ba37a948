/// A library that a backend brings along.

extern "C" void NeededMockFunction();

__attribute__((visibility("default"))) void NeededMockFunction() {}
