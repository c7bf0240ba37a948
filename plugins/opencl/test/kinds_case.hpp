#pragma once

/// The kinds of tensor memory on the device of this machine.

#include "identity.hpp"
#include "memory/kinds.hpp"
#include "test/opencl_case.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl_test {

using opencl::kDeviceFactoryId;
using opencl::kHostVisibleFactoryId;

/// What the backend registers.
class Kinds : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    managers[factory->GetId()] = manager_;
    const std::string id = factory->GetId();
    factories[id] = std::move(factory);
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    manager_ = std::move(manager);
    return Status::kSuccess;
  }

  std::map<std::string, std::unique_ptr<ITensorHandleFactory>> factories;
  std::map<std::string, std::shared_ptr<IMemoryManager>> managers;

 private:
  std::shared_ptr<IMemoryManager> manager_;
};

class KindsOfMemory : public OpenClDevice {
 protected:
  void SetUp() override {
    OpenClDevice::SetUp();
    if (context_ == nullptr) return;
    MakeOpenCl()->RegisterTensorHandleFactories(kinds_, GetCall());
  }

  BackendCallArgs GetCall() {
    BackendCallArgs args;
    args.context = context_.get();
    args.options = &options_;
    args.logger = &log_;
    return args;
  }

  std::vector<std::string> GetPreferences(const char* memory) {
    Open({BackendOption("memory", memory)});
    return MakeOpenCl()->GetHandleFactoryPreferences(GetCall());
  }

  std::unique_ptr<ITensorHandle> MakeHandle(const char* kind) {
    TensorHandleArgs args;
    args.info = &info_;
    return kinds_.factories.at(kind)->CreateTensorHandle(args);
  }

  MemoryRequirements GetRequirements(const char* kind, LayerType layer) {
    TensorRequirementsArgs args;
    args.info = &info_;
    args.layer_type = layer;
    return kinds_.factories.at(kind)->GetRequirements(args);
  }

  MemoryBlock Acquire(const char* kind, std::uint64_t size_bytes) {
    MemoryRequirements requirements;
    requirements.size_bytes = size_bytes;
    requirements.alignment_bytes = 64;
    MemoryBlock block;
    EXPECT_EQ(kinds_.managers.at(kind)->Acquire(requirements, &block), Status::kSuccess);
    return block;
  }

  const TensorInfo info_{{5}, DataType::kFloat32};
  Kinds kinds_;
};

}  // namespace opencl_test
}  // namespace backplane
