// Has an allocator and an unwinder of its own, and a singleton that all libraries share.
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#define EXPORTED __attribute__((visibility("default")))

void* operator new(std::size_t size_bytes) {
  return std::malloc(size_bytes);
}

extern "C" __attribute__((visibility("hidden"), used)) int _Unwind_RaiseException() {
  return 0;
}

template <typename T>
struct EXPORTED Singleton {
  static T value;
};
template <typename T>
T Singleton<T>::value{};

EXPORTED int* MakeNumber(int number);

int* MakeNumber(int number) {
  if (number < 0) throw std::out_of_range("number");
  return new int(Singleton<int>::value++ + number);
}

extern "C" {
EXPORTED int unhygienic_helper();
EXPORTED int unhygienic_caller();
}

int unhygienic_helper() {
  return 1;
}

int unhygienic_caller() {
  return unhygienic_helper();
}
