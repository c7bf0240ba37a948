// A library that says it is some version of oneDNN, and has nothing else.

#include <oneapi/dnnl/dnnl_types.h>

extern "C" __attribute__((visibility("default"))) const dnnl_version_t* dnnl_version() {
  static const dnnl_version_t version{FAKE_MAJOR, FAKE_MINOR,   1,
                                      "fake",     FAKE_RUNTIME, DNNL_RUNTIME_NONE};
  return &version;
}
