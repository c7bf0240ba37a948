#pragma once

/// The operands of layers that multiply matrices held in the last two axes.

#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

namespace backplane {
namespace cpu_layers {

/// A matrix as it lies in memory: elements from one row, or column, to the next.
struct MatrixLayout {
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
};

/// The layout of a dense matrix that is stored with `columns` elements in a row, read as it is or
/// transposed.
MatrixLayout MakeMatrixLayout(std::int64_t stored_columns, bool is_transposed);

/// A product of matrices: [rows, inner] times [inner, columns].
struct MatrixProduct {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  MatrixLayout a;
  MatrixLayout b;
};

/// An operand as matrices: the axes in front, and rows and columns as they are stored.
struct MatrixOperand {
  std::int64_t GetRows() const { return is_transposed ? stored_columns : stored_rows; }
  std::int64_t GetColumns() const { return is_transposed ? stored_rows : stored_columns; }
  MatrixLayout GetLayout() const { return MakeMatrixLayout(stored_columns, is_transposed); }
  std::int64_t GetMatrixElements() const { return stored_rows * stored_columns; }

  TensorShape batch;
  std::int64_t stored_rows = 1;
  std::int64_t stored_columns = 1;
  bool is_transposed = false;
};

/// Of rank 1 it is a row; no rank is 0.
MatrixOperand MakeFirstOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor);

/// Of rank 1 it is a column; no rank is 0.
MatrixOperand MakeSecondOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor);

/// Matrices that all meet the same one are rows of one large matrix.
MatrixOperand MergeRows(MatrixOperand a, const MatrixOperand& b);

/// What two operands that fit make.
MatrixProduct MakeMatrixProduct(const MatrixOperand& a, const MatrixOperand& b);

/// Refuses a layer whose inputs 0 and 1, as these operands, do not fit each other or the output.
void RequireMatricesThatFit(const Layer& layer, const MatrixOperand& a, const MatrixOperand& b,
                            Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
