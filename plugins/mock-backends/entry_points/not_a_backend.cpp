/// A library that has nothing to do with backends but for its file name.

extern "C" __attribute__((visibility("default"))) int AddOne(int value) {
  return value + 1;
}
