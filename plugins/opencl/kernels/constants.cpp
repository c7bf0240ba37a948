#include "kernels/constants.hpp"

#include <utility>

namespace backplane {
namespace opencl {

BufferArgument AddConstant(std::shared_ptr<const Bytes> bytes, KernelPlan& plan) {
  plan.constants.push_back(std::move(bytes));
  return {BufferArgument::Kind::kConstant, static_cast<std::uint32_t>(plan.constants.size() - 1)};
}

BufferArgument AddConstant(const std::vector<std::int32_t>& numbers, KernelPlan& plan) {
  const auto* first = reinterpret_cast<const unsigned char*>(numbers.data());
  return AddConstant(
      std::make_shared<const Bytes>(first, first + numbers.size() * sizeof(numbers[0])), plan);
}

BufferArgument AddMade(const PlannedLayer& layer, std::uint32_t input, const std::string& form,
                       const std::function<Bytes()>& make, KernelPlan& plan) {
  if (layer.contents == nullptr) return AddConstant(std::make_shared<const Bytes>(make()), plan);
  return AddConstant(layer.contents->Find(*layer.GetConstant(input), form, make), plan);
}

}  // namespace opencl
}  // namespace backplane
