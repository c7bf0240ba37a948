/// Wants more thread-local storage from the start of the process than a library can have later.

namespace {

__attribute__((tls_model("initial-exec"))) thread_local char storage[1024 * 1024];

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) char* GetThreadStorage(int index) {
  return &storage[index];
}
