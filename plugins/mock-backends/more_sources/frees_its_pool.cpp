// For backends with a libstdc++ of their own: gives back, when it is closed, what that keeps for
// exceptions in times without memory. A search for leaks would find it.

namespace __gnu_cxx {
void __freeres();
}

namespace {

__attribute__((destructor)) void FreePool() {
  __gnu_cxx::__freeres();
}

}  // namespace
