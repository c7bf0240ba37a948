// Libraries, chosen by a definition: Mid needs Dep, and Lender has an entry point.
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
#elif defined(BUILD_LENDER)
extern "C" EXPORTED const char* GetBackendId();
const char* GetBackendId() {
  return "Lender";
}
#else
EXPORTED int Side();
int Side() {
  return 2;
}
#endif
