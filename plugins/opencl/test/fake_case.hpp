#pragma once

/// Runs OpenCl with the fake of OpenCL's library.

#include "test/fake_opencl.hpp"
#include "test/opencl_case.hpp"

#include <dlfcn.h>

#include <string>
#include <vector>

namespace backplane {
namespace opencl_test {

class FakeOpenCl : public OpenClDevice {
 protected:
  void SetUp() override {
    OpenClDevice::SetUp();
    void* library = dlopen(OPENCL_FAKE_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    ASSERT_NE(library, nullptr) << dlerror();
    orders_ = reinterpret_cast<FakeOrders* (*)()>(dlsym(library, kGetFakeOrders))();
    dlclose(library);
    *orders_ = FakeOrders();
  }

  void TearDown() override {
    if (orders_ != nullptr) *orders_ = FakeOrders();
  }

  static std::vector<BackendOption> UseFake() {
    return {BackendOption("library", OPENCL_FAKE_LIBRARY)};
  }

  /// The function fails with the error from the call on after `num_good_calls`.
  void Fail(const char* function, cl_int error, int num_good_calls = 0) {
    orders_->failing = function;
    orders_->error = error;
    orders_->num_good_calls = num_good_calls;
  }

  FakeOrders* orders_ = nullptr;
};

/// What `work` throws.
template <typename Work>
std::string GetThrown(const Work& work) {
  try {
    work();
  } catch (const std::exception& exception) {
    return exception.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace opencl_test
}  // namespace backplane
