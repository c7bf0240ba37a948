/// Needs a function of the host, which exports none.

namespace backplane {
int SecretOfHost(int value);
}

extern "C" __attribute__((visibility("hidden"), used)) int UseSecretOfHost() {
  return backplane::SecretOfHost(1);
}
