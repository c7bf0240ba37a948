/// Takes more than half of what the C library keeps free for thread-local storage of libraries that
/// are opened later.

namespace {

__attribute__((tls_model("initial-exec"))) thread_local char storage[1000];

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) char* GetSomeThreadStorage(int index) {
  return &storage[index];
}
