/// Exports and calls a function of a name that the C library has too.

extern "C" {
__attribute__((visibility("default"))) long a64l(const char* text);

__attribute__((visibility("hidden"), used)) long CallOwnFunction() {
  return a64l("x");
}
}

long a64l(const char* text) {
  return text[0];
}
