/// A library that takes what there is once in a process: its C library's hash table.

#include <search.h>

namespace {

[[maybe_unused]] const int kTaken = hcreate(4);

}  // namespace
