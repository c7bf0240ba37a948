// Three libraries, chosen by a definition: Mid needs Dep.
#define EXPORTED __attribute__((visibility("default")))

#if defined(BUILD_DEP)
EXPORTED int Dep();
int Dep() {
  return 1;
}
#elif defined(BUILD_MID)
int Dep();
EXPORTED int Mid();
int Mid() {
  return Dep();
}
#else
EXPORTED int Side();
int Side() {
  return 2;
}
#endif
