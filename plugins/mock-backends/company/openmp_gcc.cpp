/// Stands for libgomp.

extern "C" __attribute__((visibility("default"))) void GOMP_parallel(void (*function)(void*),
                                                                     void* data, unsigned,
                                                                     unsigned) {
  function(data);
}
