#include "kernels/product_program.hpp"

#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/float16.hpp"
#include "kernels/constants.hpp"
#include "kernels/elements.hpp"
#include "kernels/product_source.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

std::int32_t ToInt(std::int64_t number) {
  return static_cast<std::int32_t>(number);
}

/// How a work-item gets at its columns.
struct ColumnAccess {
  bool are_copied = false;  // to local memory
  std::int64_t blocks_per_item = 1;
};

ColumnAccess ChooseColumnAccess(const Product& product, const DeviceLimits& limits) {
  const std::int64_t blocks = DivideUp(product.rows, product.tile.rows);
  ColumnAccess access;
  if (!limits.is_cpu) return access;
  const std::int64_t strips = DivideUp(product.columns, product.tile.GetColumns());
  const auto num_batches = static_cast<std::int64_t>(product.batches.size());
  // Enough work-items for all compute units, each with as many rows as it can have.
  const std::int64_t wanted = std::int64_t{limits.num_compute_units} * 8;
  const std::int64_t groups = std::max<std::int64_t>(
      1, std::min(blocks / 4, wanted / std::max<std::int64_t>(strips * num_batches, 1)));
  access.blocks_per_item = DivideUp(blocks, groups);
  const auto bytes = static_cast<std::uint64_t>(product.inner * product.tile.GetColumns()) * 4;
  access.are_copied = product.b_columns != Product::Columns::kPanels && product.rows > 1 &&
                      bytes <= limits.local_memory_bytes / 2;
  return access;
}

std::string MakeOptions(const Product& product, const ColumnAccess& access,
                        const DeviceLimits& limits) {
  std::string options =
      Text("-DROWS=", product.tile.rows, " -DVECTORS=", product.tile.vectors,
           " -DWIDTH=", product.tile.width, " -DSTRIP_DIMENSION=", limits.is_cpu ? 1 : 0);
  const auto add = [&](bool condition, const char* option) {
    if (condition) options += option;
  };
  add(product.data_type == DataType::kFloat16, " -DSTORAGE_HALF");
  add(product.a_is_packed, " -DA_PACKED");
  add(!product.a_is_packed && product.a_inner_step == 1, " -DA_ROWS");
  add(product.b_columns == Product::Columns::kPanels, " -DB_PANELS -DB_FLOATS");
  add(product.b_columns == Product::Columns::kOffsets, " -DB_OFFSETS -DB_FLOATS");
  add(product.b_columns == Product::Columns::kTransposed, " -DB_TRANSPOSED");
  add(product.c_is_float, " -DC_FLOATS");
  add(!access.are_copied, " -DB_IN_PLACE");
  add(product.bias_of == Product::Bias::kOfRows, " -DBIAS_OF_ROWS");
  add(product.bias_of == Product::Bias::kOfColumns, " -DBIAS_OF_COLUMNS");
  add(product.grid.has_value(), " -DGRID");
  return options;
}

std::vector<Argument> MakeArguments(const Product& product, const ColumnAccess& access,
                                    KernelPlan& plan) {
  std::vector<std::int32_t> batches;
  for (const Product::Batch& batch : product.batches) {
    batches.insert(batches.end(), {batch.a, batch.b, batch.bias});
  }
  std::vector<Argument> arguments = {product.a, product.b, product.c, AddConstant(batches, plan)};
  if (product.bias_of != Product::Bias::kNone) arguments.emplace_back(product.bias);
  if (product.b_columns == Product::Columns::kOffsets) {
    arguments.emplace_back(AddConstant(product.offsets, plan));
  }
  if (access.are_copied) {
    const std::int64_t elements = product.inner * product.tile.GetColumns();
    arguments.emplace_back(
        LocalArgument{static_cast<std::size_t>(std::max<std::int64_t>(elements, 16)) * 4});
  }
  std::int64_t stored_columns = product.columns;
  if (product.grid) {
    const ProductGrid& grid = *product.grid;
    for (const std::int64_t number : {grid.grid[1], grid.grid[2], grid.output[1], grid.output[2]}) {
      arguments.emplace_back(ToInt(number));
    }
    stored_columns = grid.output[0] * grid.output[1] * grid.output[2];
  }
  const bool is_transposed = product.b_columns == Product::Columns::kTransposed;
  for (const std::int64_t number :
       {product.rows, product.inner, product.columns, access.blocks_per_item, product.a_row_step,
        product.a_inner_step, is_transposed ? std::int64_t{1} : product.b_step,
        is_transposed ? product.b_step : std::int64_t{1}, stored_columns}) {
    arguments.emplace_back(ToInt(number));
  }
  arguments.emplace_back(product.alpha);
  return arguments;
}

void SetSizes(const Product& product, const ColumnAccess& access, const DeviceLimits& limits,
              Launch& launch) {
  const auto strips =
      static_cast<std::size_t>(DivideUp(product.columns, product.tile.GetColumns()));
  const auto items =
      static_cast<std::size_t>(DivideUp(product.rows, access.blocks_per_item * product.tile.rows));
  launch.num_dimensions = 3;
  if (limits.is_cpu) {
    launch.global_size = {items, strips, product.batches.size()};
    launch.local_size = {1, 1, 1};
    return;
  }
  const std::size_t group = std::min<std::size_t>(limits.max_work_group_size, 64) >= 64 ? 8 : 1;
  launch.local_size = {group, group, 1};
  launch.global_size = {(strips + group - 1) / group * group, (items + group - 1) / group * group,
                        product.batches.size()};
}

}  // namespace

ProductTile ChooseProductTile(std::int64_t rows, std::int64_t columns, const DeviceLimits& limits) {
  if (!limits.is_cpu) return {rows == 1 ? 1 : 4, 1, 4};
  if (rows == 1) return {1, 8, 16};
  if (rows <= 4 && columns > 32) return {4, 4, 16};
  return {8, columns <= 16 ? 1 : 2, 16};
}

std::int64_t ProductGrid::GetNumColumns() const {
  return ((output[0] - 1) * grid[1] + output[1] - 1) * grid[2] + output[2];
}

float ConstantMatrix::Get(std::int64_t i, std::int64_t k) const {
  const std::int64_t element = begin + i * step + k * inner_step;
  if (data_type == DataType::kFloat32) return static_cast<const float*>(data)[element];
  return ToFloat32(static_cast<const Float16*>(data)[element]);
}

std::int64_t CountPanelElements(std::int64_t count, std::int64_t inner, std::int64_t lines) {
  return DivideUp(count, lines) * lines * inner;
}

void AppendPanels(const ConstantMatrix& matrix, std::int64_t count, std::int64_t inner,
                  std::int64_t lines, std::vector<unsigned char>& bytes) {
  std::vector<float> panels(static_cast<std::size_t>(CountPanelElements(count, inner, lines)));
  for (std::int64_t i = 0; i < count; ++i) {
    float* line = panels.data() + i / lines * lines * inner + i % lines;
    for (std::int64_t k = 0; k < inner; ++k) line[k * lines] = matrix.Get(i, k);
  }
  const auto* first = reinterpret_cast<const unsigned char*>(panels.data());
  bytes.insert(bytes.end(), first, first + panels.size() * sizeof(float));
}

BufferArgument AddPanels(const PlannedLayer& layer, const ConstantMatrix& matrix,
                         const PanelSizes& sizes, KernelPlan& plan) {
  const std::string form =
      Text(sizes.num_matrices, " matrices ", sizes.matrix_elements, " apart, of ", sizes.count,
           " lines ", matrix.step, " apart, of ", sizes.inner, " elements ", matrix.inner_step,
           " apart, in panels of ", sizes.lines, " lines");
  const auto make = [&] {
    Bytes panels;
    ConstantMatrix next = matrix;
    for (std::int64_t i = 0; i < sizes.num_matrices; ++i) {
      AppendPanels(next, sizes.count, sizes.inner, sizes.lines, panels);
      next.begin += sizes.matrix_elements;
    }
    return panels;
  };
  return AddMade(layer, 1, form, make, plan);
}

std::int64_t TakeGroups(const PlannedLayer& layer, std::int64_t num_groups, Product& product,
                        KernelPlan& plan) {
  const std::int64_t group_elements = product.rows * product.inner;
  product.a = ReadInput(layer, 1);
  const ConstTensor* constant = layer.GetConstant(1);
  if (constant == nullptr) return group_elements;
  const ConstantMatrix matrix{constant->data, constant->info.data_type, product.a_row_step,
                              product.a_inner_step};
  product.a =
      AddPanels(layer, matrix,
                {num_groups, group_elements, product.rows, product.inner, product.tile.rows}, plan);
  product.a_is_packed = true;
  return CountPanelElements(product.rows, product.inner, product.tile.rows);
}

void AppendProduct(const Product& product, const Epilogue& epilogue, const DeviceLimits& limits,
                   KernelPlan& plan) {
  if (product.rows == 0 || product.columns == 0 || product.batches.empty()) return;
  const ColumnAccess access = ChooseColumnAccess(product, limits);
  Launch launch;
  launch.source = Text(kElementsSource, MakeEpilogueSource(epilogue), kProductSource);
  launch.options = MakeOptions(product, access, limits);
  launch.kernel = "Product";
  launch.arguments = MakeArguments(product, access, plan);
  AppendEpilogueArguments(epilogue, launch.arguments);
  SetSizes(product, access, limits, launch);
  launch.num_operations =
      2.0 * static_cast<double>(product.rows) * static_cast<double>(product.columns) *
      static_cast<double>(product.inner) * static_cast<double>(product.batches.size());
  plan.launches.push_back(std::move(launch));
}

}  // namespace opencl
}  // namespace backplane
