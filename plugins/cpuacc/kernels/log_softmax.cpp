#include "kernels/softmax_rows.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfLogSoftmax(const Layer& layer) {
  return FindRefusalOfSoftmax(layer);
}

std::unique_ptr<const Kernel> MakeLogSoftmax(KernelMaker& maker) {
  return MakeSoftmaxRows(maker, SoftmaxResult::kLogarithms);
}

}  // namespace cpuacc
}  // namespace backplane
