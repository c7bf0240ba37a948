#pragma once

/// Programs that compute each element of one tensor by itself.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// How elements are stored, and in which numbers they are computed with.
struct StoredElement {
  const char* type = "float";
  const char* computed = "float";
  std::uint32_t size_bytes = 4;
  bool is_half = false;
  bool is_bool = false;
};

/// Of a plain type that is no float64 or bfloat16.
StoredElement GetStoredElement(DataType data_type);

/// Elements of a size that are moved, whatever they are.
StoredElement GetMovedElement(std::uint32_t size_bytes);

/// The element `at`, an expression, of the tensor of the argument `tensor`, in the computed type;
/// and the statement that stores a value of this type there.
std::string WriteLoad(const StoredElement& element, const std::string& tensor,
                      const std::string& at);
std::string WriteStore(const StoredElement& element, const std::string& tensor,
                       const std::string& at, const std::string& value);

struct PointwiseOperand {
  std::uint32_t input = 0;  // of the layer that is planned
  StoredElement element;
  TensorShape shape;  // broadcasts to that of the output
};

/// One output from operands by statements in which the elements of these are x0, x1, ...
struct Pointwise {
  std::vector<PointwiseOperand> operands;
  std::string statements;
  std::string result;  // the name of the constant to store, of the computed type
  StoredElement output_element;
  TensorShape output;
};

KernelPlan MakePointwisePlan(const Pointwise& pointwise, const DeviceLimits& limits);

/// Sets the launch to `count` work-items, or a few more: kernels compare with the count.
void SetWorkItems(std::int64_t count, const DeviceLimits& limits, Launch& launch);

}  // namespace opencl
}  // namespace backplane
