#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// One class of a classifier.
struct ClassScore {
  std::size_t index = 0;
  double score = 0;
  std::string label;  // "" when there are no labels
};

/// The best classes of one element of a batch, the best first; of equal ones that with the lower
/// index. NaN is the worst.
using BestClasses = std::vector<ClassScore>;

/// What an output says of each element of the batch.
struct Classification {
  std::vector<BestClasses> rows;
  std::size_t num_left_off = 0;  // rows beyond kMaxClassifiedRows
};

constexpr std::size_t kMaxClassifiedRows = 64;

/// How many classes an output of this shape tells apart: the extent of the last axis that has more
/// than one index; 1 when none has.
std::size_t CountClasses(const TensorShape& shape);

/// The `count` best classes in each row, fewer when there are fewer. `labels`: one for each class,
/// or none.
Classification FindBestClasses(const onnx::NamedTensor& output, std::uint32_t count,
                               const std::vector<std::string>& labels);

}  // namespace backplane::execute_network
