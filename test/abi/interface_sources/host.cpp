// A host, which gives the backend handles of a class that the backend has never seen.
#include <backplane/api/i_tensor_handle.hpp>

#include <cstdio>
#include <memory>

extern "C" backplane::ITensorHandle* MakeOwnHandle();
extern "C" const backplane::MemoryView* AskHandle(const backplane::ITensorHandle* handle);

namespace {

class HostHandle final : public backplane::ITensorHandle {
 public:
  const backplane::MemoryView* GetMemoryView() const override { return &view_; }
  backplane::Status Bind(const backplane::MemoryBlock&, std::uint64_t) override {
    return backplane::Status::kSuccess;
  }
  backplane::Status Map(backplane::MemoryAccess, backplane::MemoryView*) override {
    return backplane::Status::kSuccess;
  }
  backplane::Status Unmap() override { return backplane::Status::kSuccess; }
  backplane::Status Import(const backplane::MemoryView&) override {
    return backplane::Status::kSuccess;
  }
  backplane::Status Unimport() override { return backplane::Status::kSuccess; }
  backplane::Status Export(backplane::MemorySource, backplane::MemoryView*) override {
    return backplane::Status::kSuccess;
  }

 private:
  backplane::MemoryView view_;
};

}  // namespace

int main() {
  const HostHandle of_host;
  const std::unique_ptr<backplane::ITensorHandle> of_backend(MakeOwnHandle());
  const bool is_right = AskHandle(&of_host) != nullptr && AskHandle(of_backend.get()) == nullptr;
  std::puts(is_right ? "each handle answered" : "a handle of the host answered as the backend's");
  return is_right ? 0 : 1;
}
