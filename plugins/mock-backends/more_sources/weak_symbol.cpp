/// Calls a function if there is one, and nobody defines it.

namespace absent {
__attribute__((weak)) int MaybeThere();
}

extern "C" __attribute__((visibility("hidden"), used)) int UseWeakFunction() {
  return absent::MaybeThere != nullptr ? absent::MaybeThere() : 0;
}
