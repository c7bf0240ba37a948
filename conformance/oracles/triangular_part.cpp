#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/triangular_part.hpp>

namespace backplane {
namespace conformance {
namespace triangular_part {

std::vector<LayerCase> MakeCases(Random& random) {
  TriangularPartDescriptor descriptor;
  descriptor.part = random.Integer(0, 1) == 1 ? Triangle::kUpper : Triangle::kLower;
  descriptor.diagonal = random.Integer(-6, 6);
  const TensorShape shape = random.Shape(random.Word(2, 4), 1, 5);
  return {MakeCase(LayerType::kTriangularPart, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<TriangularPartDescriptor>();
  const std::int64_t distance = at[at.size() - 1] - at[at.size() - 2] - descriptor.diagonal;
  const bool is_kept = descriptor.part == Triangle::kUpper ? distance >= 0 : distance <= 0;
  return is_kept ? inputs[0].At(at) : Number{0};
}

LayerCase Take(Triangle part, std::int64_t diagonal, const TensorShape& shape) {
  TriangularPartDescriptor descriptor;
  descriptor.part = part;
  descriptor.diagonal = diagonal;
  return MakeCase(LayerType::kTriangularPart, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  const Elements whole = {1, 2, 3, 4, 5, 6};
  const Elements nothing(6);
  std::vector<EdgeCase> edges = {
      {Take(Triangle::kUpper, 0, {2, 3}), {whole}, {{1, 2, 3, 0, 5, 6}}},
      {Take(Triangle::kLower, -1, {2, 3}), {whole}, {{0, 0, 0, 4, 0, 0}}},
      // What is replaced may be anything.
      {Take(Triangle::kLower, 0, {2, 2}), {{1, kInfinity, 3, 4}}, {{1, 0, 3, 4}}},
      {Take(Triangle::kUpper, 0, {2, 2}), {{1, 2, kNaN, 4}}, {{1, 2, 0, 4}}},
      {Take(Triangle::kUpper, 0, {0, 4}), {{}}, {{}}},
  };
  for (const std::int64_t far : {kMost, std::int64_t{3}}) {
    edges.push_back({Take(Triangle::kUpper, far, {2, 3}), {whole}, {nothing}});
    edges.push_back({Take(Triangle::kLower, far, {2, 3}), {whole}, {whole}});
  }
  for (const std::int64_t far : {kLeast, std::int64_t{-2}}) {
    edges.push_back({Take(Triangle::kUpper, far, {2, 3}), {whole}, {whole}});
    edges.push_back({Take(Triangle::kLower, far, {2, 3}), {whole}, {nothing}});
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Take(Triangle::kUpper, 0, {3}), "wrong-rank", "float32 [3]", "rank 2 or more",
       "input 0 has shape [3], but must have rank 2 or more"},
      {Take(Triangle{3}, 0, {3, 3}), "invalid-descriptor", "number 3", "Upper or Lower",
       "part 3 is not supported, only Upper (1) and Lower (2)"},
  };
}

}  // namespace triangular_part

BACKPLANE_ELEMENT_ORACLE(TriangularPart, triangular_part, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
