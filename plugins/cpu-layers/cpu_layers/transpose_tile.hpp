#pragma once

/// Matrices of elements of 1, 2, 4 or 8 bytes that are transposed in registers, block by block.

#include "cpu_layers/copy_loops.hpp"
#include "cpu_layers/run_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpu_layers {

/// As many rows and columns as a vector of 16 bytes has elements.
template <typename Element>
class TransposedBlock {
 public:
  static constexpr std::size_t kEdge = 16 / sizeof(Element);

  /// Row i of `from` becomes column i of `to`. Steps are from row to row, in bytes.
  static void Run(const unsigned char* from, std::int64_t from_step, unsigned char* to,
                  std::int64_t to_step) {
    Vector rows[kEdge];
    for (std::size_t row = 0; row < kEdge; ++row, from += from_step) {
      std::memcpy(&rows[row], from, sizeof(Vector));
    }
    Zip<kEdge>(rows);
    for (std::size_t row = 0; row < kEdge; ++row, to += to_step) {
      std::memcpy(to, &rows[row], sizeof(Vector));
    }
  }

 private:
  typedef Element Vector __attribute__((vector_size(16)));
  using Lanes = std::make_index_sequence<kEdge>;

  /// Row i and row i + kEdge / 2 are zipped to rows 2 i and 2 i + 1. After log2(kEdge) times, row
  /// and column are exchanged.
  template <std::size_t kLeft>
  static void Zip(Vector* rows) {
    if constexpr (kLeft > 1) {
      Vector zipped[kEdge];
      for (std::size_t row = 0; row < kEdge / 2; ++row) {
        zipped[2 * row] = ZipHalf<0>(rows[row], rows[row + kEdge / 2], Lanes());
        zipped[2 * row + 1] = ZipHalf<kEdge / 2>(rows[row], rows[row + kEdge / 2], Lanes());
      }
      std::memcpy(rows, zipped, sizeof(zipped));
      Zip<kLeft / 2>(rows);
    }
  }

  template <std::size_t kBegin, std::size_t... kLanes>
  static Vector ZipHalf(Vector a, Vector b, std::index_sequence<kLanes...> /*lanes*/) {
    return __builtin_shufflevector(a, b, (kBegin + kLanes / 2 + kLanes % 2 * kEdge)...);
  }
};

/// Copies runs along one axis. The compiler makes the best of it where it knows one of the steps.
template <typename Run>
void CopyLine(CopyAxis axis, Run run, const unsigned char* from, unsigned char* to) {
  const auto bytes = static_cast<std::int64_t>(run.GetBytes());
  if (axis.to_step == bytes) {
    for (std::int64_t i = 0; i < axis.extent; ++i) {
      CopyRun(to + i * bytes, from + i * axis.from_step, run);
    }
    return;
  }
  for (std::int64_t i = 0; i < axis.extent; ++i, from += axis.from_step, to += axis.to_step) {
    CopyRun(to, from, run);
  }
}

/// Copies a tile, the longer axis in the inner loop.
template <typename Run>
void CopyTile(const CopyAxis& a, const CopyAxis& b, Run run, const unsigned char* from,
              unsigned char* to) {
  const CopyAxis& outer = a.extent > b.extent ? b : a;
  const CopyAxis& inner = a.extent > b.extent ? a : b;
  for (std::int64_t i = 0; i < outer.extent; ++i) {
    CopyLine(inner, run, from + i * outer.from_step, to + i * outer.to_step);
  }
}

/// `read` is dense where it comes from, `written` where it goes to.
template <typename Element>
void TransposeTile(const CopyAxis& read, const CopyAxis& written, const unsigned char* from,
                   unsigned char* to) {
  using Block = TransposedBlock<Element>;
  constexpr auto kEdge = static_cast<std::int64_t>(Block::kEdge);
  const std::int64_t num_read = read.extent / kEdge * kEdge;
  const std::int64_t num_written = written.extent / kEdge * kEdge;
  for (std::int64_t i = 0; i < num_read; i += kEdge) {
    for (std::int64_t j = 0; j < num_written; j += kEdge) {
      Block::Run(from + i * read.from_step + j * written.from_step, written.from_step,
                 to + i * read.to_step + j * written.to_step, read.to_step);
    }
  }
  const FixedRun<sizeof(Element)> element;
  CopyTile({num_read, read.from_step, read.to_step},
           {written.extent - num_written, written.from_step, written.to_step}, element,
           from + num_written * written.from_step, to + num_written * written.to_step);
  CopyTile({read.extent - num_read, read.from_step, read.to_step}, written, element,
           from + num_read * read.from_step, to + num_read * read.to_step);
}

}  // namespace cpu_layers
}  // namespace backplane
