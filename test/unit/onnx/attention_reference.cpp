#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace backplane::onnx::test {
namespace {

/// Of rows [batch, rows, heads * width].
double GetElement(const Reals& rows, std::int64_t row, std::int64_t heads, std::int64_t head,
                  std::int64_t width, std::int64_t index) {
  return static_cast<double>(
      rows.at(static_cast<std::size_t>((row * heads + head) * width + index)));
}

/// exp(score - greatest) of each, divided by their sum; `has_sink`: one more score of 0.
std::vector<double> GetParts(std::vector<double> scores, bool has_sink) {
  const double greatest =
      std::max(*std::max_element(scores.begin(), scores.end()), has_sink ? 0.0 : -1.0e300);
  double sum = has_sink ? std::exp(-greatest) : 0.0;
  for (double& score : scores) sum += score = std::exp(score - greatest);
  for (double& score : scores) score /= sum;
  return scores;
}

}  // namespace

Reals Attend(const AttentionSizes& sizes, const Reals& queries, const Reals& keys,
             const Reals& values, const ChangeScore& change, double scale, bool has_sink) {
  const double factor = scale != 0.0 ? scale : 1.0 / std::sqrt(static_cast<double>(sizes.width));
  Reals result;
  for (std::int64_t row = 0; row < sizes.batch * sizes.queries; ++row) {
    const std::int64_t batch = row / sizes.queries;
    for (std::int64_t head = 0; head < sizes.heads; ++head) {
      const std::int64_t group = head / (sizes.heads / sizes.groups);
      std::vector<double> scores;
      for (std::int64_t key = 0; key < sizes.keys; ++key) {
        double score = 0.0;
        for (std::int64_t i = 0; i < sizes.width; ++i) {
          score += factor * GetElement(queries, row, sizes.heads, head, sizes.width, i) *
                   GetElement(keys, batch * sizes.keys + key, sizes.groups, group, sizes.width, i);
        }
        scores.push_back(change ? change({batch, head, row % sizes.queries, key}, score) : score);
      }
      const std::vector<double> parts = GetParts(scores, has_sink);
      for (std::int64_t i = 0; i < sizes.width; ++i) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < sizes.keys; ++key) {
          sum += parts[static_cast<std::size_t>(key)] *
                 GetElement(values, batch * sizes.keys + key, sizes.groups, group, sizes.width, i);
        }
        result.push_back(static_cast<float>(sum));
      }
    }
  }
  return result;
}

Reals MakeReals(std::int64_t count, int seed) {
  Reals reals;
  for (std::int64_t i = 0; i < count; ++i) {
    reals.push_back(static_cast<float>(std::sin(1.7 * static_cast<double>(i) + seed)));
  }
  return reals;
}

Reals ToHeads(const Reals& rows, std::int64_t batch, std::int64_t heads, std::int64_t width) {
  const std::int64_t count = static_cast<std::int64_t>(rows.size()) / (batch * heads * width);
  Reals result;
  for (std::int64_t matrix = 0; matrix < batch * heads; ++matrix) {
    for (std::int64_t i = 0; i < count * width; ++i) {
      const std::int64_t row = matrix / heads * count + i / width;
      result.push_back(
          static_cast<float>(GetElement(rows, row, heads, matrix % heads, width, i % width)));
    }
  }
  return result;
}

ModelBuilder MakeMicrosoftModel() {
  ModelBuilder model(17);
  auto& import = *model.GetProto().add_opset_import();
  import.set_domain("com.microsoft");
  import.set_version(1);
  return model;
}

void AddInt32s(ModelBuilder& model, const std::string& name, const Dims& dims,
               const std::vector<std::int32_t>& values) {
  ::onnx::TensorProto& tensor = *model.GetProto().mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto::INT32);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  for (const std::int32_t value : values) tensor.add_int32_data(value);
}

void ExpectNearReals(const Reals& found, const Reals& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
  }
}

}  // namespace backplane::onnx::test
