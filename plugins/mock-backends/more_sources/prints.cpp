/// Prints to standard output as soon as it is opened.

#include <cstdio>

namespace {

struct Greeting {
  Greeting() {
    std::puts("a mock backend was loaded");
    std::fflush(stdout);
  }
};

[[maybe_unused]] const Greeting greeting;

}  // namespace
