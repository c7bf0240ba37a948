#pragma once

/// What the fake of OpenCL's library is told by tests. It hands everything on to the real one but
/// what the orders are about.

#include "library/opencl.hpp"

namespace backplane {
namespace opencl_test {

struct FakeOrders {
  bool has_platforms = true;
  bool has_devices = true;
  const char* version = nullptr;    // of each device; null: its own
  const char* build_log = nullptr;  // of each program; null: its own
  bool is_available = true;         // each device
  bool shares_memory = true;        // each device with the CPU; false: it says that it does not
  const char* failing = nullptr;    // a function that fails; null: none
  int num_good_calls = 0;           // before it does
  cl_int error = CL_SUCCESS;        // with which it fails, from then on
};

/// What the fake exports under this name: a function that returns its FakeOrders*.
constexpr char kGetFakeOrders[] = "GetFakeOrders";

}  // namespace opencl_test
}  // namespace backplane
