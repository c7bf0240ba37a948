/// Has a parallel region, as one of two compilers makes it.

#ifdef BACKPLANE_MOCK_LLVM
extern "C" void __kmpc_fork_call(void*, int, void*, ...);
extern "C" __attribute__((visibility("hidden"), used)) void RunParallel() {
  __kmpc_fork_call(nullptr, 0, nullptr);
}
#else
extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);
extern "C" __attribute__((visibility("hidden"), used)) void RunParallel() {
  GOMP_parallel([](void*) {}, nullptr, 0, 0);
}
#endif
