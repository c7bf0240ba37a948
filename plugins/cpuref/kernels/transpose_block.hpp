#pragma once

/// Square blocks of elements, transposed in registers.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuref {

/// A block has as many rows as one vector of 16 bytes has elements. Unsigned elements of 1, 2, 4 or
/// 8 bytes.
template <typename Element>
class TransposeBlock {
 public:
  static constexpr std::size_t kEdge = 16 / sizeof(Element);

  /// The rows of `from` become the columns of `to`; steps are from row to row, in bytes.
  static void Run(const unsigned char* from, std::int64_t from_step, unsigned char* to,
                  std::int64_t to_step) {
    Vector rows[kEdge];
    for (std::size_t i = 0; i < kEdge; ++i) {
      std::memcpy(&rows[i], from + static_cast<std::int64_t>(i) * from_step, sizeof(Vector));
    }
    // Each round doubles how many elements of one column stand next to each other.
    for (std::size_t done = 1; done < kEdge; done *= 2) {
      Vector next[kEdge];
      for (std::size_t i = 0; i < kEdge / 2; ++i) {
        next[2 * i] = InterleaveLow(rows[i], rows[i + kEdge / 2], Places());
        next[2 * i + 1] = InterleaveHigh(rows[i], rows[i + kEdge / 2], Places());
      }
      std::memcpy(rows, next, sizeof(rows));
    }
    for (std::size_t i = 0; i < kEdge; ++i) {
      std::memcpy(to + static_cast<std::int64_t>(i) * to_step, &rows[i], sizeof(Vector));
    }
  }

 private:
  typedef Element Vector __attribute__((vector_size(16)));
  using Places = std::make_index_sequence<kEdge>;

  // From the lower halves, elements of both in turn.
  template <std::size_t... kPlaces>
  static Vector InterleaveLow(Vector a, Vector b, std::index_sequence<kPlaces...> /*places*/) {
    return __builtin_shufflevector(a, b, (kPlaces / 2 + kPlaces % 2 * kEdge)...);
  }

  template <std::size_t... kPlaces>
  static Vector InterleaveHigh(Vector a, Vector b, std::index_sequence<kPlaces...> /*places*/) {
    return __builtin_shufflevector(a, b, (kEdge / 2 + kPlaces / 2 + kPlaces % 2 * kEdge)...);
  }
};

}  // namespace cpuref
}  // namespace backplane
