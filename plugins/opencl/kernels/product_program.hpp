#pragma once

/// The program of all products of matrices: C = alpha * A * B + bias, for several products of one
/// size. A launch of it says how the operands lie; convolutions are products with columns that lie
/// at given places.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace opencl {

/// What a work-item computes at once.
struct ProductTile {
  std::int64_t GetColumns() const { return std::int64_t{vectors} * width; }

  std::int32_t rows = 8;
  std::int32_t vectors = 2;  // of columns
  std::int32_t width = 16;   // elements of a vector
};

ProductTile ChooseProductTile(std::int64_t rows, std::int64_t columns, const DeviceLimits& limits);

/// The columns are positions in a grid with margins; those inside of the output are stored.
/// Depth, height and width.
struct ProductGrid {
  std::int64_t GetNumColumns() const;

  std::int64_t grid[3] = {1, 1, 1};
  std::int64_t output[3] = {1, 1, 1};
};

struct Product {
  enum class Columns {
    kPanels,      // as PackPanels makes them
    kRows,        // element (k, n) at k * b_step + n
    kTransposed,  // element (k, n) at n * b_step + k
    kOffsets,  // element (k, n) at offsets[k] + n, floats; a tile may read behind the last column
  };
  enum class Bias { kNone, kOfRows, kOfColumns };
  struct Batch {
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int32_t bias = 0;
  };

  ProductTile tile;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  BufferArgument a;
  bool a_is_packed = false;     // as PackRows makes it
  std::int64_t a_row_step = 0;  // elements, if not packed
  std::int64_t a_inner_step = 1;
  BufferArgument b;
  Columns b_columns = Columns::kRows;
  std::int64_t b_step = 0;
  std::vector<std::int32_t> offsets;
  BufferArgument c;
  bool c_is_float = false;  // whatever the data type of the layer
  std::optional<ProductGrid> grid;
  Bias bias_of = Bias::kNone;
  BufferArgument bias;
  std::vector<Batch> batches = {{}};
  float alpha = 1;
  DataType data_type = DataType::kFloat32;
};

/// A matrix whose element (i, k) is at data[i * step + k * inner_step].
struct ConstantMatrix {
  float Get(std::int64_t i, std::int64_t k) const;

  const void* data = nullptr;
  DataType data_type = DataType::kFloat32;
  std::int64_t step = 0;
  std::int64_t inner_step = 1;
  std::int64_t begin = 0;
};

/// Floats of a matrix as a kernel goes through them: `count` lines of `inner` elements in panels of
/// `lines` lines; what is missing in the last is 0.
void AppendPanels(const ConstantMatrix& matrix, std::int64_t count, std::int64_t inner,
                  std::int64_t lines, std::vector<unsigned char>& bytes);
std::int64_t CountPanelElements(std::int64_t count, std::int64_t inner, std::int64_t lines);

/// Matrices behind each other, as panels.
struct PanelSizes {
  std::int64_t num_matrices = 1;
  std::int64_t matrix_elements = 0;  // from one to the next, before they are packed
  std::int64_t count = 0;            // of lines of each
  std::int64_t inner = 0;
  std::int64_t lines = 0;
};

/// Adds the panels of constant input 1 of a layer, of which `matrix` is the first, to the plan.
BufferArgument AddPanels(const PlannedLayer& layer, const ConstantMatrix& matrix,
                         const PanelSizes& sizes, KernelPlan& plan);

/// Takes input 1 of a layer as A of the product, with its steps: for each group a matrix, packed
/// when the input is constant. Gives the elements from one group to the next.
std::int64_t TakeGroups(const PlannedLayer& layer, std::int64_t num_groups, Product& product,
                        KernelPlan& plan);

/// Adds the launch, and the constants that it needs, to the plan.
void AppendProduct(const Product& product, const Epilogue& epilogue, const DeviceLimits& limits,
                   KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
