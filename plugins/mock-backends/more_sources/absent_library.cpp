/// The library that the missing dependency stands for.

extern "C" __attribute__((visibility("default"))) int FunctionOfAbsentLibrary() {
  return 1;
}
