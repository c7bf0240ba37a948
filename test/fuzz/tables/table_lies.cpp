#include "table_lies.hpp"

#include "../telling_number.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace backplane::fuzz {
namespace {

struct Row {
  const char* name;
  const char* group;
};

constexpr Row kRows[] = {
#define BACKPLANE_TABLE_LIE(name, group) {#name, #group},
#include "table_lies.def"
#undef BACKPLANE_TABLE_LIE
};

// Numbers that are no lie's.
constexpr std::uint64_t kForm = 10'000;
constexpr std::uint64_t kHowMany = 10'001;
constexpr std::uint64_t kWhich = 20'000;

}  // namespace

std::size_t GetNumTableLies() {
  return std::size(kRows);
}

TableLies::TableLies(std::uint64_t seed) : seed_(seed) {
  const Row& first = kRows[seed % std::size(kRows)];
  told_.push_back(static_cast<TableLie>(seed % std::size(kRows)));
  if (std::strcmp(first.group, "Failure") == 0) Add(kWhich, "Status");
  // Alone, a lie is followed furthest.
  const std::uint32_t num_others = Mix(kHowMany) % 2 == 0 ? 0 : 1 + Mix(kHowMany) / 2 % 3;
  for (std::uint32_t i = 0; i < num_others; ++i) Add(kWhich + 1000 * (i + 1), nullptr);
}

/// Tells one more; null: `group`, for one of any.
void TableLies::Add(std::uint64_t salt, const char* group) {
  for (;; ++salt) {
    const auto picked = static_cast<std::uint32_t>(Mix(salt) % std::size(kRows));
    if (group != nullptr && std::strcmp(kRows[picked].group, group) != 0) continue;
    if (!Tells(static_cast<TableLie>(picked))) told_.push_back(static_cast<TableLie>(picked));
    return;
  }
}

/// One step of SplitMix64.
std::uint32_t TableLies::Mix(std::uint64_t salt) const {
  std::uint64_t mixed = (seed_ + 1) * 0x9E37'79B9'7F4A'7C15U + salt * 0xD1B5'4A32'D192'ED03U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
  return static_cast<std::uint32_t>(mixed >> 32U);
}

bool TableLies::Tells(TableLie lie) const {
  return std::find(told_.begin(), told_.end(), lie) != told_.end();
}

std::uint64_t TableLies::PickNumber(TableLie lie) const {
  return PickTelling(Mix(static_cast<std::uint64_t>(lie)));
}

std::uint32_t TableLies::Choose(TableLie lie, std::uint32_t count) const {
  return Mix(static_cast<std::uint64_t>(lie)) % count;
}

std::uint32_t TableLies::ChooseForm(std::uint32_t count) const {
  return seed_ < std::size(kRows) ? count - 1 : Mix(kForm) % count;
}

void TableLies::ChangeText(TableLie lie, const char*& text) const {
  if (!Tells(lie)) return;
  static const std::string kLong(100'000, '\xC3');
  const char* const texts[] = {nullptr, "", kLong.c_str(), "Lying/\x01\n/Other"};
  text = texts[Choose(lie, std::size(texts))];
}

std::string TableLies::Describe() const {
  std::string text = "seed " + std::to_string(seed_);
  for (const TableLie lie : told_) {
    text += (text.find(':') == std::string::npos ? ": " : ", ");
    text += kRows[static_cast<std::size_t>(lie)].name;
  }
  return text;
}

}  // namespace backplane::fuzz
