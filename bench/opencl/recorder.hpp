#pragma once

/// What was enqueued, and how it is enqueued again.

#include <CL/cl.h>

#include <cstddef>
#include <vector>

namespace backplane::bench {

/// An argument that was set, or a kernel that was enqueued.
struct Call {
  cl_kernel kernel = nullptr;
  cl_command_queue queue = nullptr;  // null: an argument was set
  cl_uint index = 0;                 // of the argument, or how many dimensions there are
  bool has_value = false;            // of the argument; else it is memory of a work-group
  std::vector<unsigned char> value;  // of the argument, or its size alone
  bool has_local_size = false;
  std::size_t global_size[3] = {};
  std::size_t local_size[3] = {};
};

}  // namespace backplane::bench

/// What is called from now on is recorded, and what was is forgotten.
extern "C" void StartRecording();
/// Ends it. Stays until it is started again.
extern "C" const std::vector<backplane::bench::Call>* StopRecording();
/// Calls all of it again, with nothing between, and waits for the end.
/// Errors: what OpenCL says.
extern "C" cl_int CallAgain(const std::vector<backplane::bench::Call>* calls);
