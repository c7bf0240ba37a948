#pragma once

/// Takes the equation of an EinsumDescriptor apart. For the core and for backends.

#include <backplane/api/descriptors/einsum.hpp>
#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstdint>

namespace backplane {

/// What an equation means for operands of certain ranks. Each axis of an operand has a label;
/// labels are numbered from 0. Label i is axis i of the output when i is less than output_rank; the
/// others are summed over. Axes with one label run together.
struct EinsumLabels {
  std::uint32_t num_labels = 0;
  std::uint32_t output_rank = 0;
  std::uint8_t operands[kMaxEinsumOperands][kMaxRank] = {};
};

/// The reading of one equation: GetLabels() after Parse() found no problem.
class EinsumParser {
 public:
  /// Null when the equation is sound and fits the ranks; otherwise what is wrong, in a few words.
  /// Static storage.
  const char* Parse(const EinsumDescriptor& descriptor, const std::uint32_t* ranks,
                    std::uint32_t num_operands) {
    const char* const begin = descriptor.equation;
    const char* const end = std::find(begin, begin + kMaxEinsumEquation, '\0');
    if (end == begin + kMaxEinsumEquation) return "does not end with a zero";
    if (num_operands > kMaxEinsumOperands) return "has too many operands";
    const char* const arrow = FindArrow(begin, end);
    if (const char* problem = ParseTerms(begin, arrow, ranks, num_operands)) return problem;
    const char* problem = arrow == end ? DeduceOutput() : ParseOutput(arrow + 2, end);
    if (problem == nullptr) NumberLabels(ranks, num_operands);
    return problem;
  }

  const EinsumLabels& GetLabels() const { return labels_; }

 private:
  // Axes of an ellipsis, counted from its innermost, are the symbols before the letters.
  static constexpr std::uint32_t kFirstLetter = kMaxRank;
  static constexpr std::uint32_t kNumSymbols = kFirstLetter + 52;

  struct Term {
    std::uint32_t num_before = 0;  // letters before the ellipsis, or all
    std::uint32_t num_letters = 0;
    bool has_ellipsis = false;
    std::uint8_t letters[kMaxRank] = {};
  };

  static const char* FindArrow(const char* begin, const char* end) {
    for (const char* at = begin; end - at >= 2; ++at) {
      if (at[0] == '-' && at[1] == '>') return at;
    }
    return end;
  }

  // In the order of ASCII; kNumSymbols for what is no letter.
  static std::uint32_t GetSymbol(char letter) {
    if (letter >= 'A' && letter <= 'Z') {
      return kFirstLetter + static_cast<std::uint32_t>(letter - 'A');
    }
    if (letter >= 'a' && letter <= 'z') {
      return kFirstLetter + 26 + static_cast<std::uint32_t>(letter - 'a');
    }
    return kNumSymbols;
  }

  static const char* ParseTerm(const char* begin, const char* end, Term& term) {
    for (const char* at = begin; at != end; ++at) {
      if (*at == ' ') continue;
      if (*at == '.') {
        if (end - at < 3 || at[1] != '.' || at[2] != '.') return "has dots that are no ellipsis";
        if (term.has_ellipsis) return "has two ellipses in one term";
        term.has_ellipsis = true;
        term.num_before = term.num_letters;
        at += 2;
        continue;
      }
      const std::uint32_t symbol = GetSymbol(*at);
      if (symbol == kNumSymbols) return "has a character that has no meaning";
      if (term.num_letters == kMaxRank)
        return "has a term with more letters than a tensor has axes";
      term.letters[term.num_letters++] = static_cast<std::uint8_t>(symbol);
    }
    if (!term.has_ellipsis) term.num_before = term.num_letters;
    return nullptr;
  }

  /// Gives each axis its symbol.
  static void Spread(const Term& term, std::uint32_t ellipsis_rank, std::uint8_t* symbols) {
    symbols = std::copy_n(term.letters, term.num_before, symbols);
    for (std::uint32_t left = ellipsis_rank; left > 0; --left) {
      *symbols++ = static_cast<std::uint8_t>(left - 1);
    }
    std::copy(term.letters + term.num_before, term.letters + term.num_letters, symbols);
  }

  const char* ParseTerms(const char* begin, const char* end, const std::uint32_t* ranks,
                         std::uint32_t num_operands) {
    for (std::uint32_t operand = 0; operand < num_operands; ++operand) {
      const char* const comma = std::find(begin, end, ',');
      const bool is_last = operand + 1 == num_operands;
      if (is_last != (comma == end)) return "has another number of terms than there are operands";
      Term term;
      if (const char* problem = ParseTerm(begin, comma, term)) return problem;
      if (term.has_ellipsis ? ranks[operand] < term.num_letters
                            : ranks[operand] != term.num_letters) {
        return "has a term that does not fit the rank of its operand";
      }
      const std::uint32_t ellipsis_rank = ranks[operand] - term.num_letters;
      Spread(term, ellipsis_rank, labels_.operands[operand]);
      ellipsis_rank_ = std::max(ellipsis_rank_, ellipsis_rank);
      for (std::uint32_t axis = 0; axis < ranks[operand]; ++axis) {
        ++num_uses_[labels_.operands[operand][axis]];
      }
      if (!is_last) begin = comma + 1;
    }
    return nullptr;
  }

  const char* ParseOutput(const char* begin, const char* end) {
    Term term;
    if (const char* problem = ParseTerm(begin, end, term)) return problem;
    if (!term.has_ellipsis && ellipsis_rank_ > 0) return "has an ellipsis that the output lacks";
    const std::uint32_t ellipsis_rank = term.has_ellipsis ? ellipsis_rank_ : 0;
    if (term.num_letters + ellipsis_rank > kMaxRank) return "has an output of too many axes";
    labels_.output_rank = term.num_letters + ellipsis_rank;
    Spread(term, ellipsis_rank, output_);
    bool is_used[kNumSymbols] = {};
    for (std::uint32_t axis = 0; axis < labels_.output_rank; ++axis) {
      if (num_uses_[output_[axis]] == 0) return "has a letter in the output that no operand has";
      if (is_used[output_[axis]]) return "has a letter twice in the output";
      is_used[output_[axis]] = true;
    }
    return nullptr;
  }

  const char* DeduceOutput() {
    std::uint32_t rank = ellipsis_rank_;
    Spread(Term(), ellipsis_rank_, output_);
    for (std::uint32_t symbol = kFirstLetter; symbol < kNumSymbols; ++symbol) {
      if (num_uses_[symbol] != 1) continue;
      if (rank == kMaxRank) return "has an output of too many axes";
      output_[rank++] = static_cast<std::uint8_t>(symbol);
    }
    labels_.output_rank = rank;
    return nullptr;
  }

  /// Replaces symbols by labels: first those of the output, then the others as they come.
  void NumberLabels(const std::uint32_t* ranks, std::uint32_t num_operands) {
    std::uint8_t label_of[kNumSymbols];
    std::fill_n(label_of, kNumSymbols, static_cast<std::uint8_t>(kNumSymbols));
    const auto number = [&](std::uint8_t symbol) {
      if (label_of[symbol] == kNumSymbols) {
        label_of[symbol] = static_cast<std::uint8_t>(labels_.num_labels++);
      }
      return label_of[symbol];
    };
    for (std::uint32_t axis = 0; axis < labels_.output_rank; ++axis) number(output_[axis]);
    for (std::uint32_t operand = 0; operand < num_operands; ++operand) {
      for (std::uint32_t axis = 0; axis < ranks[operand]; ++axis) {
        labels_.operands[operand][axis] = number(labels_.operands[operand][axis]);
      }
    }
  }

  EinsumLabels labels_;
  std::uint32_t ellipsis_rank_ = 0;  // the most axes that an ellipsis stands for
  std::uint32_t num_uses_[kNumSymbols] = {};
  std::uint8_t output_[kMaxRank] = {};
};

}  // namespace backplane
