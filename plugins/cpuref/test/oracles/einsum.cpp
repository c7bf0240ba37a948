#include "test/layer_case.hpp"

#include <backplane/api/descriptors/einsum.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace backplane {
namespace cpuref_test {
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

}  // namespace einsum

CPUREF_ORACLE(Einsum, einsum, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
              IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
