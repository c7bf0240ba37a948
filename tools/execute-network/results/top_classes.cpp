#include "results/top_classes.hpp"

#include "tensors/elements.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backplane::execute_network {
namespace {

bool IsBetter(double a, double b) {
  if (std::isnan(a)) return false;
  return std::isnan(b) || a > b;
}

BestClasses FindBest(const double* scores, std::size_t num_classes, std::size_t count,
                     const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(num_classes);
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, num_classes);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      if (IsBetter(scores[a], scores[b])) return true;
                      return !IsBetter(scores[b], scores[a]) && a < b;
                    });
  BestClasses best;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = order[i];
    best.push_back({index, scores[index], labels.empty() ? "" : labels[index]});
  }
  return best;
}

}  // namespace

std::size_t CountClasses(const TensorShape& shape) {
  for (std::uint32_t axis = shape.rank; axis-- > 0;) {
    if (shape[axis] > 1) return static_cast<std::size_t>(shape[axis]);
  }
  return 1;
}

Classification FindBestClasses(const onnx::NamedTensor& output, std::uint32_t count,
                               const std::vector<std::string>& labels) {
  const std::vector<double> scores = ReadElements(output);
  const std::size_t num_classes = CountClasses(output.info.shape);
  const std::size_t num_rows = scores.size() / num_classes;
  Classification classification;
  classification.num_left_off = num_rows - std::min(num_rows, kMaxClassifiedRows);
  for (std::size_t row = 0; row < num_rows - classification.num_left_off; ++row) {
    classification.rows.push_back(FindBest(&scores[row * num_classes], num_classes, count, labels));
  }
  return classification;
}

}  // namespace backplane::execute_network
