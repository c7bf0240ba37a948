/// Exports a variable that all libraries of a process share, in one of two sizes.

#ifdef BACKPLANE_MOCK_LARGE
constexpr int kTableSize = 64;
#else
constexpr int kTableSize = 4;
#endif

template <typename T>
struct __attribute__((visibility("default"))) SharedTable {
  static T values[kTableSize];
};

template <typename T>
T SharedTable<T>::values[kTableSize]{};

extern "C" __attribute__((visibility("hidden"), used)) int CountInTable() {
  return SharedTable<int>::values[kTableSize - 1]++;
}
