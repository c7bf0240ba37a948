/// Exports the variable of a template, which all libraries of a process share.

template <typename T>
struct __attribute__((visibility("default"))) SharedCounter {
  static T value;
};

template <typename T>
T SharedCounter<T>::value{};

extern "C" __attribute__((visibility("hidden"), used)) int CountShared() {
  return SharedCounter<int>::value++;
}
