/// Needs the library of allocator_library.cpp.

extern "C" int FunctionOfAllocatorLibrary();

extern "C" __attribute__((visibility("hidden"), used)) int UseAllocatorLibrary() {
  return FunctionOfAllocatorLibrary();
}
