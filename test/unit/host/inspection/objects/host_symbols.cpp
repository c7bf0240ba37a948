/// Needs a function of the host, which exports none.

namespace backplane {
int HostSecret(int value);
}

extern "C" __attribute__((visibility("default"))) int UseHostSecret() {
  return backplane::HostSecret(1);
}
