/// Has an OpenMP runtime linked in whose functions nobody else sees.

#include <pthread.h>

#include <cstdlib>

extern "C" __attribute__((visibility("hidden"), used)) const char* ReadOpenMpSetting() {
  return std::getenv("GOMP_SPINCOUNT");
}

extern "C" __attribute__((visibility("hidden"), used)) int SetStack(pthread_attr_t* attributes) {
  return pthread_attr_setstacksize(attributes, 1 << 20U);
}
