/// A library with what all libraries of a process share: a constant, and a variable.

#define BACKPLANE_MOCK_SHARED __attribute__((visibility("default")))

template <typename T>
struct BACKPLANE_MOCK_SHARED SharedLimit {
  static const T value;
};

template <typename T>
const T SharedLimit<T>::value = 7;

extern "C" BACKPLANE_MOCK_SHARED const int* GetSharedLimit() {
  return &SharedLimit<int>::value;
}

#ifndef BACKPLANE_MOCK_CONSTANT
template <typename T>
struct BACKPLANE_MOCK_SHARED SharedCounter {
  static T value;
};

template <typename T>
T SharedCounter<T>::value{};

extern "C" BACKPLANE_MOCK_SHARED int* GetSharedCounter() {
  return &SharedCounter<int>::value;
}
#endif
