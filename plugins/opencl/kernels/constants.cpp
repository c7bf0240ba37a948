#include "kernels/constants.hpp"

#include <utility>

namespace backplane {
namespace opencl {

BufferArgument AddConstant(std::vector<unsigned char> bytes, KernelPlan& plan) {
  plan.constants.push_back(std::move(bytes));
  return {BufferArgument::Kind::kConstant, static_cast<std::uint32_t>(plan.constants.size() - 1)};
}

BufferArgument AddConstant(const std::vector<std::int32_t>& numbers, KernelPlan& plan) {
  const auto* first = reinterpret_cast<const unsigned char*>(numbers.data());
  return AddConstant(std::vector<unsigned char>(first, first + numbers.size() * sizeof(numbers[0])),
                     plan);
}

}  // namespace opencl
}  // namespace backplane
