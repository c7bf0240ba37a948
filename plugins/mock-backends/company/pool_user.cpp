/// A library that calls a pool of memory, which who needs it has to bring.

extern "C" int MockPoolAllocate();

extern "C" __attribute__((visibility("default"))) int UseMockPool() {
  return MockPoolAllocate();
}
