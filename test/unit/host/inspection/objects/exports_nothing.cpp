// Exports nothing, and needs something.
extern "C" int acme_hidden();

namespace {
const int value = acme_hidden();
}

__attribute__((visibility("hidden"))) int GetValue();
int GetValue() {
  return value;
}
