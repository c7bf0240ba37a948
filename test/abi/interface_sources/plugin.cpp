// A backend with one class of handles of its own, compiled as a whole: the compiler sees no other.
#include <backplane/api/i_tensor_handle.hpp>

namespace {

class OwnHandle final : public backplane::ITensorHandle {
 public:
  const backplane::MemoryView* GetMemoryView() const override { return nullptr; }
  backplane::Status Bind(const backplane::MemoryBlock&, std::uint64_t) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Map(backplane::MemoryAccess, backplane::MemoryView*) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Unmap() override { return backplane::Status::kUnsupported; }
  backplane::Status Import(const backplane::MemoryView&) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Unimport() override { return backplane::Status::kUnsupported; }
  backplane::Status Export(backplane::MemorySource, backplane::MemoryView*) override {
    return backplane::Status::kUnsupported;
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) backplane::ITensorHandle* MakeOwnHandle() {
  return new OwnHandle;
}

extern "C" __attribute__((visibility("default"))) const backplane::MemoryView* AskHandle(
    const backplane::ITensorHandle* handle) {
  return handle->GetMemoryView();
}
