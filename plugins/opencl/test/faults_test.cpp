// What goes wrong on a device is told by the names of OpenCL, and nothing stays broken.

#include "test/fake_case.hpp"
#include "test/fence_run.hpp"

namespace backplane {
namespace opencl_test {
namespace {

TEST_F(FakeOpenCl, TellsTheLogOfTheCompiler) {
  Open(UseFake());
  const auto factory = MakeFactory();
  orders_->build_log = "kernel.cl:3: unknown word 'flot'\n";
  Fail("clBuildProgram", CL_BUILD_PROGRAM_FAILURE);
  const std::string why = GetThrown([&] { RunRelu(*factory); });
  ExpectHas(why, "the kernels of 'layer under test' cannot be made");
  ExpectHas(why, "CL_BUILD_PROGRAM_FAILURE (-11)");
  ExpectHas(why, "the compiler's log: kernel.cl:3: unknown word 'flot'");
  orders_->failing = nullptr;
  EXPECT_EQ(RunRelu(*factory), kRelu);
}

TEST_F(FakeOpenCl, SurvivesEachAllocationThatFails) {
  Open(UseFake());
  int num_failed = 0;
  for (;; ++num_failed) {
    ASSERT_LT(num_failed, 20);
    const auto factory = MakeFactory();
    Fail("clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE, num_failed);
    try {
      EXPECT_EQ(RunRelu(*factory), kRelu);
      break;
    } catch (const std::exception& exception) {
      ExpectHas(exception.what(), "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
      ExpectHas(exception.what(), "bytes");
    }
  }
  EXPECT_GE(num_failed, 3) << "the state, the input and the output have buffers";
}

TEST_F(FakeOpenCl, NamesTheLayerThatIsNotEnqueued) {
  Open(UseFake());
  const auto factory = MakeFactory();
  Fail("clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES);
  const std::string why = GetThrown([&] { RunRelu(*factory); });
  ExpectHas(why, "clEnqueueNDRangeKernel of '");
  ExpectHas(why, "for 'layer under test' failed: CL_OUT_OF_RESOURCES (-5)");
  orders_->failing = nullptr;
  EXPECT_EQ(RunRelu(*factory), kRelu);
}

// A descriptor says that work is over, and the factory how it ended.
TEST_F(FakeOpenCl, TellsOfWorkThatFailedBehindADescriptor) {
  Open(UseFake());
  const auto factory = MakeFactory();
  FenceRun run(*factory, MakeRelu());
  const FenceView fence = run.Run({}, ToFlags(FenceKind::kEventFd));
  ASSERT_EQ(fence.kind, FenceKind::kEventFd);
  ASSERT_TRUE(AwaitDescriptor(fence));
  Fail("clGetEventInfo", CL_OUT_OF_RESOURCES);
  ExpectHas(GetThrown([&] { static_cast<void>(factory->WaitForFence(fence, 0)); }),
            "CL_OUT_OF_RESOURCES (-5)");
  orders_->failing = nullptr;
  EXPECT_EQ(factory->WaitForFence(fence, 0), Status::kSuccess);
}

TEST_F(FakeOpenCl, NamesTheKernelThatCannotBeMade) {
  Open(UseFake());
  const auto factory = MakeFactory();
  Fail("clCreateKernel", CL_INVALID_KERNEL_NAME);
  ExpectHas(GetThrown([&] { RunRelu(*factory); }), "CL_INVALID_KERNEL_NAME (-46)");
}

TEST_F(FakeOpenCl, ThatWasLostIsOpenedAgainForTheNextNetwork) {
  Open(UseFake());
  auto factory = MakeFactory();
  Fail("clEnqueueNDRangeKernel", CL_DEVICE_NOT_AVAILABLE);
  ExpectHas(GetThrown([&] { RunRelu(*factory); }), "CL_DEVICE_NOT_AVAILABLE (-2)");
  // The next context is made anew, as this one shows.
  Fail("clCreateContext", CL_OUT_OF_HOST_MEMORY);
  ExpectHas(GetThrown([&] { MakeFactory(); }), "clCreateContext");
  orders_->failing = nullptr;
  factory = MakeFactory();
  EXPECT_EQ(RunRelu(*factory), kRelu);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
