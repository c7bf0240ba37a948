/// Stands for libomp.

extern "C" __attribute__((visibility("default"))) void __kmpc_fork_call(void*, int, void*, ...) {}
