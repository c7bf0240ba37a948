// A device that does not share the memory of the CPU.

#include "memory/kinds.hpp"
#include "test/fake_case.hpp"
#include "test/kinds_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

class OwnMemory : public FakeOpenCl {
 protected:
  void SetUp() override {
    FakeOpenCl::SetUp();
    if (orders_ == nullptr) return;
    orders_->shares_memory = false;
    Open(UseFake());
  }

  BackendCallArgs GetCall() {
    BackendCallArgs args;
    args.context = context_.get();
    args.options = &options_;
    args.logger = &log_;
    return args;
  }
};

TEST_F(OwnMemory, ComesFirst) {
  EXPECT_EQ(MakeOpenCl()->GetHandleFactoryPreferences(GetCall()),
            (std::vector<std::string>{kDeviceFactoryId, kHostVisibleFactoryId}));
}

TEST_F(OwnMemory, ImportsNothing) {
  Kinds kinds;
  MakeOpenCl()->RegisterTensorHandleFactories(kinds, GetCall());
  const auto& kind = kinds.factories.at(kHostVisibleFactoryId);
  TensorHandleFactoryProperties properties;
  ASSERT_EQ(kind->GetProperties(&properties), Status::kSuccess);
  EXPECT_EQ(properties.import_sources, 0U);
  EXPECT_EQ(properties.supports_map_unmap, 1U);
  const TensorInfo info({5}, DataType::kFloat32);
  TensorHandleArgs args;
  args.info = &info;
  std::vector<float> memory(5);
  const MemoryHandle given(info, memory.data());
  EXPECT_EQ(kind->CreateTensorHandle(args)->Import(given.view), Status::kUnsupported);
}

TEST_F(OwnMemory, IsNotLeftForThatOfTheHost) {
  const auto factory = MakeFactory();
  ExpectHas(GetThrown([&] { MakeWorkload(*factory, MakeRelu()); }),
            "input 0 lies in memory of \"Backplane/Host/Memory\", which kernels on \"");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
