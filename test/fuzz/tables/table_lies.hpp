#pragma once

/// What a backend with a lying table lies about. The same seed always tells the same lies.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::fuzz {

enum class TableLie {
#define BACKPLANE_TABLE_LIE(name, group) k##name,
#include "table_lies.def"
#undef BACKPLANE_TABLE_LIE
};

/// How many kinds of lies there are: so many seeds tell each of them once.
std::size_t GetNumTableLies();

/// The lies of one seed: one of a kind that the seed counts through, and up to three of any kinds.
///
/// Threads: any.
class TableLies {
 public:
  explicit TableLies(std::uint64_t seed);

  bool Tells(TableLie lie) const;
  /// The number that is told instead of the true one.
  std::uint64_t PickNumber(TableLie lie) const;
  /// A number below `count`.
  std::uint32_t Choose(TableLie lie, std::uint32_t count) const;
  /// A number below `count` for what is no lie: how the backend is built. The greatest, with which
  /// most is done, for the first seed of each kind of lie.
  std::uint32_t ChooseForm(std::uint32_t count) const;

  template <typename Number>
  void Change(TableLie lie, Number& number) const {
    if (Tells(lie)) number = static_cast<Number>(PickNumber(lie));
  }
  /// Puts a size that is a telling number, or one near the true one.
  void ChangeSize(TableLie lie, std::uint32_t& size_bytes) const {
    if (Tells(lie) && Choose(lie, 3) == 0) return Change(lie, size_bytes);
    if (Tells(lie)) size_bytes = Choose(lie, 2 * size_bytes);
  }
  template <typename Pointer>
  void Drop(TableLie lie, Pointer& pointer) const {
    if (Tells(lie)) pointer = nullptr;
  }
  /// Puts no text, an empty one, one that is long and no UTF-8, or one with a slash in place of it.
  void ChangeText(TableLie lie, const char*& text) const;

  /// "seed 7: TableSize, NoLoaded".
  std::string Describe() const;

 private:
  std::uint32_t Mix(std::uint64_t salt) const;
  void Add(std::uint64_t salt, const char* group);

  std::uint64_t seed_;
  std::vector<TableLie> told_;
};

}  // namespace backplane::fuzz
