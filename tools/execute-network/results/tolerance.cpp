#include "results/tolerance.hpp"

namespace backplane::execute_network {
namespace {

Tolerance GetDefault(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {1e-4, 4e-3, 2e-3};
    case DataType::kBFloat16:
      return {1e-3, 3e-2, 1.6e-2};
    default:
      return {1e-5, 1e-3, 1e-4};
  }
}

}  // namespace

Tolerance GetTolerance(DataType type, const WantedTolerance& wanted) {
  const Tolerance usual = GetDefault(type);
  return {wanted.absolute.value_or(usual.absolute), wanted.relative.value_or(usual.relative),
          wanted.of_max.value_or(usual.of_max)};
}

}  // namespace backplane::execute_network
