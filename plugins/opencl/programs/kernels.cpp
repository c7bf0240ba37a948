#include "programs/kernels.hpp"

#include "library/errors.hpp"

namespace backplane {
namespace opencl {

Owned<cl_kernel> Kernels::Make(const Owned<cl_program>& program, const std::string& name) {
  Owned<cl_kernel> kernel = Take(program, name);
  const auto pool = shared_from_this();
  const Key key(program.get(), name);
  return Owned<cl_kernel>(kernel.get(), [pool, key, kernel](cl_kernel) {
    const std::lock_guard<std::mutex> lock(pool->mutex_);
    pool->made_[key].unused.push_back(kernel);
  });
}

Owned<cl_kernel> Kernels::Take(const Owned<cl_program>& program, const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Made& made = made_[{program.get(), name}];
  if (!made.unused.empty()) {
    Owned<cl_kernel> kernel = std::move(made.unused.back());
    made.unused.pop_back();
    return kernel;
  }
  // To give one back must not allocate.
  if (++made.count > made.unused.capacity()) made.unused.reserve(2 * made.count);
  cl_int error = CL_SUCCESS;
  auto kernel =
      Own(library_.clCreateKernel(program.get(), name.c_str(), &error), library_.clReleaseKernel);
  Check(error, "clCreateKernel");
  return kernel;
}

}  // namespace opencl
}  // namespace backplane
