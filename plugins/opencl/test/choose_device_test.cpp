#include "devices/choose_device.hpp"

#include "test/opencl_case.hpp"

#include <cstring>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::Device;
using opencl::Options;
using opencl::Platform;

/// A library that answers for devices that do not exist: all are there.
cl_int CL_API_CALL SayYes(cl_device_id /*device*/, cl_device_info /*what*/, size_t room,
                          void* value, size_t* /*size*/) {
  const cl_bool yes = CL_TRUE;
  std::memcpy(value, &yes, std::min(room, sizeof(yes)));
  return CL_SUCCESS;
}

class ChooseDevice : public testing::Test {
 protected:
  ChooseDevice() {
    library_.clGetDeviceInfo = SayYes;
    platforms_ = {{nullptr, "Portable", {Make("cpu", "OpenCL 3.0 P", false)}},
                  {nullptr,
                   "Acme",
                   {Make("Npu old", "OpenCL 1.1", true), Make("Npu new", "OpenCL 1.2", true)}}};
  }

  Device Make(const char* name, const char* version, bool is_accelerator) const {
    Device device;
    device.library = &library_;
    device.name = name;
    device.version = version;
    device.is_accelerator = is_accelerator;
    return device;
  }

  std::string Choose(const std::string& platform, const std::string& device) const {
    Options options;
    options.platform = platform;
    options.device = device;
    try {
      return opencl::ChooseDevice(platforms_, options).name;
    } catch (const BackendUnavailableException& exception) {
      return exception.what();
    }
  }

  opencl::Library library_;
  std::vector<Platform> platforms_;
};

TEST_F(ChooseDevice, TakesTheFirstAcceleratorThatCanBeUsed) {
  EXPECT_EQ(Choose("", ""), "Npu new");
  EXPECT_EQ(Choose("Portable", ""), "cpu");
}

TEST_F(ChooseDevice, FindsByIndexAndByPartOfTheNameInAnyCase) {
  EXPECT_EQ(Choose("1", "1"), "Npu new");
  EXPECT_EQ(Choose("acme", "NEW"), "Npu new");
  EXPECT_EQ(Choose("", "cPu"), "cpu");
}

TEST_F(ChooseDevice, TellsWhatThereIs) {
  EXPECT_EQ(Choose("", "gpu"),
            "there is no OpenCL device \"gpu\", only platform 0 \"Portable\": device 0 \"cpu\"; "
            "platform 1 \"Acme\": device 0 \"Npu old\", device 1 \"Npu new\"");
  EXPECT_EQ(Choose("Acme", "old"),
            "no OpenCL device of platform \"Acme\" \"old\" can be used: \"Npu old\" has OpenCL "
            "1.1, but OpenCL 1.2 is needed");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
