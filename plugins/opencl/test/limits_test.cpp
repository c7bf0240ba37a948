// What does not fit the device is refused with numbers, before anything runs.

#include "execution/constants.hpp"
#include "kernels/kernels.hpp"
#include "layers/plan_layer.hpp"
#include "test/fake_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

std::string FindRefusal(const TestLayer& layer, std::uint64_t max_allocation_bytes) {
  opencl::DeviceLimits limits;
  limits.max_allocation_bytes = max_allocation_bytes;
  const LayerQuestion question(layer);
  return opencl::FindRefusal(opencl::MakePlannedLayer(question.Get()), limits);
}

TestLayer MakeReluOf(std::int64_t count) {
  const TensorInfo info({count}, DataType::kFloat32);
  ActivationDescriptor descriptor;
  descriptor.function = ActivationFunction::kRelu;
  return TestLayer(LayerType::kActivation, descriptor, {info}, info);
}

TEST(Limits, OfAllocationAreRespected) {
  EXPECT_EQ(FindRefusal(MakeReluOf(256), 1024), "");
  ExpectHas(FindRefusal(MakeReluOf(257), 1024),
            "input 0 has 1028 bytes, but the device allocates at most 1024 at once");
}

TEST(Limits, OfIndicesAreRespected) {
  const std::uint64_t plenty = std::uint64_t{1} << 60;
  EXPECT_EQ(FindRefusal(MakeReluOf(2147483647), plenty), "");
  EXPECT_NE(FindRefusal(MakeReluOf(2147483648), plenty), "");
}

TEST(Limits, OfLayersAreTheTable) {
  const TensorInfo info({4}, DataType::kFloat32);
  const TestLayer unknown(static_cast<LayerType>(99999), NoDescriptor(), {info}, info);
  EXPECT_EQ(FindRefusal(unknown, 1024), "layer type 99999 is not known");
}

class ContentsOfDevice : public OpenClDevice {
 protected:
  std::shared_ptr<opencl::DeviceContext> GetDevice() {
    return opencl::MakeModelContext(context_.get(), options_)->device;
  }
};

TEST_F(ContentsOfDevice, ConstantsAreThereOnce) {
  opencl::Constants constants(GetDevice());
  const std::vector<float> content(8, 1.0F);
  const auto first = constants.GetShared({content.data(), 32, nullptr});
  EXPECT_EQ(constants.GetShared({content.data(), 32, nullptr}), first);
  EXPECT_NE(constants.GetShared({content.data() + 4, 16, nullptr}), first);
}

TEST_F(ContentsOfDevice, ConstantsOfOneContentAreThereOnceForAllNetworks) {
  opencl::Constants of_one(GetDevice());
  opencl::Constants of_another(GetDevice());
  auto content = std::make_shared<const opencl::Bytes>(32, 7);
  const auto equal = std::make_shared<const opencl::Bytes>(32, 7);
  const auto buffer = of_one.GetShared(content);
  EXPECT_EQ(of_another.GetShared({content->data(), 32, content}), buffer);
  EXPECT_NE(of_another.GetShared(equal), buffer) << "another may change when the first has gone";
}

TEST_F(ContentsOfDevice, KernelsAreUsedAgain) {
  const auto device = GetDevice();
  const auto program = device->GetPrograms().Get(
      "__kernel void a(__global int* x) { *x = 1; }\n"
      "__kernel void b(__global int* x) { *x = 2; }\n",
      "", "");
  opencl::Kernels& kernels = device->GetKernels();
  auto first = kernels.Make(program, "a");
  const auto second = kernels.Make(program, "a");
  EXPECT_NE(first, second) << "both are in use";
  const cl_kernel address = first.get();
  first.reset();
  EXPECT_NE(kernels.Make(program, "b").get(), address);
  EXPECT_EQ(kernels.Make(program, "a").get(), address);
}

TEST(SharedContents, AreMadeOnceOfAConstantAndAForm) {
  opencl::SharedContents contents;
  int num_made = 0;
  const auto find = [&](std::uint64_t identity, const char* form) {
    const ConstTensor constant{TensorInfo({2}, DataType::kFloat32), nullptr, {identity, 0}};
    return contents.Find(constant, form,
                         [&] { return opencl::Bytes(8, static_cast<unsigned char>(++num_made)); });
  };
  const auto rows = find(1, "rows");
  EXPECT_EQ(find(1, "rows"), rows);
  EXPECT_EQ(num_made, 1);
  const auto columns = find(1, "columns");
  const auto other = find(2, "rows");
  EXPECT_NE(columns, rows);
  EXPECT_NE(other, rows);
  EXPECT_NE(find(0, "rows"), find(0, "rows")) << "nothing is known of their content";
  EXPECT_EQ(num_made, 5);
}

TEST(SharedContents, GoWithTheirLastPlan) {
  opencl::SharedContents contents;
  const ConstTensor constant{TensorInfo({2}, DataType::kFloat32), nullptr, {1, 0}};
  std::weak_ptr<const opencl::Bytes> first =
      contents.Find(constant, "rows", [] { return opencl::Bytes(8, 1); });
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(contents.Find(constant, "rows", [] { return opencl::Bytes(8, 2); })->at(0), 2);
}

TEST_F(ContentsOfDevice, ConstantsThatDoNotFitAreToldWithNumbers) {
  opencl::Constants constants(GetDevice());
  const float content = 0;
  const std::string why = GetThrown([&] { constants.Make(&content, std::uint64_t{1} << 60); });
  ExpectHas(why, "a constant of 1152921504606846976 bytes does not fit");
  ExpectHas(why, "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
