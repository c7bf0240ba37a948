#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/einsum.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace backplane {
namespace conformance {
namespace einsum {

/// An equation, and what it means written without ellipses and with its output.
struct Equation {
  const char* text;
  const char* meaning;
};

constexpr Equation kEquations[] = {
    {"ij,jk->ik", "ij,jk->ik"},
    {"ij,kj", "ij,kj->ik"},
    {"bij,bjk->bki", "bij,bjk->bki"},
    {"bqhd,bkhd->bhqk", "bqhd,bkhd->bhqk"},
    {"ij->ji", "ij->ji"},
    {"ba", "ba->ab"},
    {"ii->i", "ii->i"},
    {"ii", "ii->"},
    {"iij->j", "iij->j"},
    {"iji,ij->ij", "iji,ij->ij"},
    {"ijk->", "ijk->"},
    {"ijk->j", "ijk->j"},
    {"i,j", "i,j->ij"},
    {"i,i->", "i,i->"},
    {",ij->ij", ",ij->ij"},
    {"ij,jk,kl->il", "ij,jk,kl->il"},
    {"ij,i,j->", "ij,i,j->"},
    {"abc,ab,cd,e->de", "abc,ab,cd,e->de"},
    {" i j , j k -> k i ", "ij,jk->ki"},
    {"ab,bC", "ab,bC->Ca"},
    {"...", "ab->ab"},
    {"...i->...", "abi->ab"},
    {"i...->...i", "iab->abi"},
    {"...ij,...jk->...ik", "abij,abjk->abik"},
    {"...i,...i", "abi,bi->ab"},
    {"z...,...y->y...", "zab,aby->yab"},
};

std::vector<std::string> SplitTerms(const std::string& terms) {
  std::vector<std::string> parts(1);
  for (const char letter : terms) {
    if (letter == ',') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

struct Meaning {
  explicit Meaning(const std::string& text)
      : operands(SplitTerms(text.substr(0, text.find('-')))),
        output(text.substr(text.find('>') + 1)) {}

  std::vector<std::string> operands;
  std::string output;
};

Meaning GetMeaning(const LayerCase& layer) {
  const std::string text = layer.Get<EinsumDescriptor>().equation;
  const auto* found = std::find_if(std::begin(kEquations), std::end(kEquations),
                                   [&](const Equation& known) { return known.text == text; });
  return Meaning(found->meaning);
}

/// Some axes have extent 1 where others with their letter have more, but not on a diagonal.
TensorShape MakeOperand(const std::string& letters, const std::map<char, std::int64_t>& extents,
                        Random& random) {
  TensorShape shape;
  for (const char letter : letters) {
    const bool is_diagonal = std::count(letters.begin(), letters.end(), letter) > 1;
    const bool is_repeated = !is_diagonal && random.Integer(0, 5) == 0;
    shape.Append(is_repeated ? 1 : extents.at(letter));
  }
  return shape;
}

LayerCase MakeEinsum(const Equation& equation, Random& random) {
  const Meaning meaning(equation.meaning);
  std::map<char, std::int64_t> extents;
  for (const std::string& operand : meaning.operands) {
    for (const char letter : operand) extents[letter] = random.Integer(1, 4);
  }
  std::map<char, std::int64_t> greatest;
  std::vector<TensorShape> inputs;
  for (const std::string& operand : meaning.operands) {
    inputs.push_back(MakeOperand(operand, extents, random));
    for (std::size_t i = 0; i < operand.size(); ++i) {
      const std::int64_t extent = inputs.back()[static_cast<std::uint32_t>(i)];
      greatest[operand[i]] = std::max(greatest[operand[i]], extent);
    }
  }
  TensorShape output;
  for (const char letter : meaning.output) output.Append(greatest.at(letter));
  EinsumDescriptor descriptor;
  const std::string text = equation.text;
  std::copy(text.begin(), text.end(), descriptor.equation);
  return MakeCase(LayerType::kEinsum, descriptor, inputs, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const Equation& equation : kEquations) cases.push_back(MakeEinsum(equation, random));
  return cases;
}

/// The product of the elements that have the indices of these letters.
template <typename Number>
Number Multiply(const Meaning& meaning, const Operands<Number>& inputs,
                const std::map<char, std::int64_t>& indices) {
  Number product{1};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Indices at;
    for (const char letter : meaning.operands[i]) {
      const std::int64_t extent = inputs[i].shape[static_cast<std::uint32_t>(at.size())];
      at.push_back(extent == 1 ? 0 : indices.at(letter));
    }
    product *= inputs[i].At(at);
  }
  return product;
}

/// The extents of all letters that are in operands.
template <typename Number>
std::map<char, std::int64_t> GetExtents(const Meaning& meaning, const Operands<Number>& inputs) {
  std::map<char, std::int64_t> extents;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::uint32_t axis = 0;
    for (const char letter : meaning.operands[i]) {
      extents[letter] = std::max(extents[letter], inputs[i].shape[axis++]);
    }
  }
  return extents;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const Meaning meaning = GetMeaning(layer);
  std::string summed;
  TensorShape summed_shape;
  for (const auto& [letter, extent] : GetExtents(meaning, inputs)) {
    if (meaning.output.find(letter) != std::string::npos) continue;
    summed += letter;
    summed_shape.Append(extent);
  }
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    std::map<char, std::int64_t> indices;
    for (std::size_t i = 0; i < at.size(); ++i) indices[meaning.output[i]] = at[i];
    Number sum{};
    for (std::int64_t k = 0; k < summed_shape.GetNumElements(); ++k) {
      const Indices summed_at = GetIndices(summed_shape, k);
      for (std::size_t i = 0; i < summed.size(); ++i) indices[summed[i]] = summed_at[i];
      sum += Multiply(meaning, inputs, indices);
    }
    return sum;
  });
}

LayerCase Describe(const std::string& equation, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  EinsumDescriptor descriptor;
  std::copy(equation.begin(), equation.end(), descriptor.equation);
  return MakeCase(LayerType::kEinsum, descriptor, inputs, output);
}

/// As many operands as there may be, 1 and 2 each.
EdgeCase MakeMany() {
  std::string equation = "a";
  for (std::uint32_t i = 1; i < kMaxEinsumOperands; ++i) equation += ",a";
  return {Describe(equation + "->a", std::vector<TensorShape>(kMaxEinsumOperands, {2}), {2}),
          std::vector<Elements>(kMaxEinsumOperands, {1, 2}),
          {{1, std::ldexp(1.0L, kMaxEinsumOperands)}}};
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {WithWhole(Describe("bij,bjk->bki", {{2, 3, 70}, {2, 70, 300}}, {2, 300, 3}))},
      // Sums over nothing.
      {Describe("ik,kj->ij", {{2, 0}, {0, 1}}, {2, 1}), {{}, {}}, {{0, 0}}},
      {Describe("ij->i", {{2, 0}}, {2}), {{}}, {{0, 0}}},
      {Describe("ij->ji", {{2, 0}}, {0, 2}), {{}}, {{}}},
      {Describe("i,i->i", {{1}, {0}}, {0}), {{5}, {}}, {{}}},
      {Describe(",->", {{}, {}}, {}), {{3}, {4}}, {{12}}},
      {Describe("->", {{}}, {}), {{3}}, {{3}}},
      {Describe("...", {{}}, {}), {{3}}, {{3}}},
      {Describe("ij,j->i", {{3, 2}, {2}}, {3}),
       {{kNaN, 0, kInfinity, 1, 2, 3}, {0, 1}},
       {{kNaN, kNaN, 3}}},
      MakeMany(),
      // Letters that are there once are sorted, and ellipses are aligned at their ends.
      {Describe("ba", {{2, 3}}, {3, 2}), {{1, 2, 3, 4, 5, 6}}, {{1, 4, 2, 5, 3, 6}}},
      {Describe("ii", {{3, 3}}, {}), {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {{15}}},
      {Describe("b...a", {{2, 1, 2}}, {1, 2, 2}), {{1, 2, 3, 4}}, {{1, 3, 2, 4}}},
      {Describe("...,...", {{2, 1}, {}}, {2, 1}), {{1, 2}, {3}}, {{3, 6}}},
      {Describe("i...->...", {{2, 3}}, {3}), {{1, 2, 3, 4, 5, 6}}, {{5, 7, 9}}},
      {Describe("i...->i", {{2}}, {2}), {{1, 2}}, {{1, 2}}},
      {Describe("...i,...i->...i", {{2, 1, 2}, {1, 1}}, {2, 1, 2}),
       {{1, 2, 3, 4}, {2}},
       {{2, 4, 6, 8}}},
      {Describe("abcde,fghij->abcdefgh", {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}},
                {1, 1, 1, 1, 1, 1, 1, 1}),
       {{2}, {3}},
       {{6}}},
  };
}

/// For one matrix of 2 by 3.
RefusedCase RefuseEquation(const std::string& equation, const std::string& reason) {
  return {Describe(equation, {{2, 3}}, {2}), "invalid-descriptor",
          "\"" + equation + "\" for the shapes [2, 3]", "a letter for each axis",
          "the equation has " + reason};
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  constexpr std::int64_t kLarge = std::int64_t{1} << 30U;
  const TensorShape five = {1, 1, 1, 1, 1};
  EinsumDescriptor endless;
  std::fill_n(endless.equation, kMaxEinsumEquation, 'i');
  return {
      RefuseEquation("ij,jk->ik", "another number of terms than there are operands"),
      RefuseEquation("ijk->i", "a term that does not fit the rank of its operand"),
      RefuseEquation("i->i", "a term that does not fit the rank of its operand"),
      RefuseEquation("ij->k", "a letter in the output that no operand has"),
      RefuseEquation("ij->ii", "a letter twice in the output"),
      RefuseEquation("i..->i", "dots that are no ellipsis"),
      RefuseEquation("i?->i", "a character that has no meaning"),
      RefuseEquation("i1->i", "a character that has no meaning"),
      RefuseEquation("i...j...->ij", "two ellipses in one term"),
      RefuseEquation("i...->i", "an ellipsis that the output lacks"),
      RefuseEquation("ij-i", "a character that has no meaning"),
      RefuseEquation("ij->i->j", "a character that has no meaning"),
      RefuseEquation("ij->i,j", "a character that has no meaning"),
      RefuseEquation("abcdefghi->a", "a term with more letters than a tensor has axes"),
      {Describe("ij", {{2, 2}, {2, 2}}, {2, 2}), "invalid-descriptor", "\"ij\"", "terms",
       "the equation has another number of terms than there are operands"},
      {MakeCase(LayerType::kEinsum, endless, {{2}}, {}), "invalid-descriptor", "iii", "terms",
       "the equation does not end with a zero"},
      {Describe("abcde,fghij", {five, five}, {}), "invalid-descriptor", "abcde,fghij", "terms",
       "the equation has an output of too many axes"},
      {Describe("ij,jk->ik", {{2, 3}, {4, 5}}, {2, 5}), "wrong-shape",
       "extent 4 at axis 0 of input 1 in \"ij,jk->ik\" for the shapes [2, 3], [4, 5]",
       "expected 3, as the other axes with that letter have, or 1",
       "axis 0 of input 1 has extent 4, which differs from another axis with the same letter"},
      {Describe("ii->i", {{1, 3}}, {3}), "wrong-shape", "extent 3 at axis 1",
       "expected 1, as the other axis with that letter has",
       "axis 1 of input 0 has extent 3, which differs from another axis with the same letter"},
      {Describe("i,j->ij", {{kHuge}, {kHuge}}, {1, 1}), "tensor-too-large", "", "",
       "the output has shape [1, 1], but the inputs give [1099511627776, 1099511627776]"},
      {Describe("a,b,ab,->ab", {{kLarge}, {kLarge}, {1, 1}, {}}, {kLarge, kLarge}), "", "", "",
       "an intermediate result has too many elements"},
  };
}

}  // namespace einsum

BACKPLANE_ORACLE(Einsum, einsum, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
                 IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
