/// Has a pool of memory linked in and exports it, and needs a library that calls such a pool.

extern "C" int UseMockPool();

extern "C" __attribute__((visibility("default"))) int MockPoolAllocate() {
  return 1;
}

extern "C" __attribute__((visibility("hidden"), used)) int CallPoolUser() {
  return UseMockPool();
}
