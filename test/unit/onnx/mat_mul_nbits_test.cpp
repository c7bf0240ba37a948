#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

using ::onnx::TensorProto;

struct Sizes {
  std::int64_t inner;
  std::int64_t columns;
  std::int64_t bits;
  std::int64_t block;
  bool has_zero_points;
  bool has_bias = false;
  bool has_number_zero_points = false;  // instead of those in bits
};

/// A model of MatMulNBits of two rows, and what it multiplies.
class BitsModel {
 public:
  explicit BitsModel(const Sizes& sizes) : sizes_(sizes), builder_(17) {
    auto& import = *builder_.GetProto().add_opset_import();
    import.set_domain("com.microsoft");
    import.set_version(1);
    const std::int64_t blocks = (sizes.inner + sizes.block - 1) / sizes.block;
    AddStored(sizes.columns, blocks);
    builder_.Input("a", {2, sizes.inner}).Output("y", {2, sizes.columns});
    std::vector<std::string> inputs = {
        "a", "b", "scales", HasZeroPoints() ? "zeros" : "", "", sizes.has_bias ? "bias" : ""};
    NodeBuilder node = builder_.Node("MatMulNBits", inputs, {"y"}).Domain("com.microsoft");
    node.Int("K", sizes.inner).Int("N", sizes.columns).Int("block_size", sizes.block);
    node.Int("bits", sizes.bits).Int("accuracy_level", 4);
  }

  ModelBuilder& Get() { return builder_; }
  ::onnx::GraphProto& GetGraph() { return *builder_.GetProto().mutable_graph(); }

  void ExpectRight() {
    std::vector<float> a;
    for (std::int64_t i = 0; i < 2 * sizes_.inner; ++i) {
      a.push_back(0.25F * static_cast<float>(i % 9 - 4));
    }
    const std::vector<float> found = builder_.Run({a});
    for (std::int64_t row = 0; row < 2; ++row) {
      for (std::int64_t column = 0; column < sizes_.columns; ++column) {
        double sum = sizes_.has_bias ? static_cast<double>(column) : 0.0;
        for (std::int64_t i = 0; i < sizes_.inner; ++i) {
          sum += static_cast<double>(a[static_cast<std::size_t>(row * sizes_.inner + i)]) *
                 reals_[static_cast<std::size_t>(column * sizes_.inner + i)];
        }
        EXPECT_NEAR(found[static_cast<std::size_t>(row * sizes_.columns + column)], sum, 1e-3)
            << row << ", " << column;
      }
    }
  }

 private:
  bool HasZeroPoints() const { return sizes_.has_zero_points || sizes_.has_number_zero_points; }

  /// Scales are below and above 0, and one is 0.
  void AddStored(std::int64_t columns, std::int64_t blocks) {
    const std::int64_t bits = sizes_.bits;
    const std::int64_t row_bytes = (blocks * bits + 7) / 8;
    std::string stored(static_cast<std::size_t>(columns * blocks * sizes_.block * bits / 8), 0);
    std::string zeros(static_cast<std::size_t>(columns * row_bytes), 0);
    std::vector<float> scales;
    std::vector<float> numbers;
    std::vector<float> bias;
    const auto put = [bits](std::string& bytes, std::int64_t first, std::int64_t index,
                            std::int64_t value) {
      const std::int64_t bit = index * bits;
      auto& byte = bytes[static_cast<std::size_t>(first + bit / 8)];
      byte = static_cast<char>(byte | static_cast<char>(value << (bit % 8)));
    };
    for (std::int64_t column = 0; column < columns; ++column) {
      bias.push_back(static_cast<float>(column));
      for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t which = column * blocks + block;
        const float scale = 0.125F * static_cast<float>(which % 5 - 2);
        const std::int64_t most = (std::int64_t{1} << bits) - 1;
        const std::int64_t zero = HasZeroPoints() ? which % (most + 1) : (most + 1) / 2;
        const float fraction = sizes_.has_number_zero_points ? 0.25F : 0.0F;
        put(zeros, column * row_bytes, block, zero);
        numbers.push_back(static_cast<float>(zero) + fraction);
        scales.push_back(scale);
        for (std::int64_t i = 0; i < sizes_.block; ++i) {
          const std::int64_t value = (which * 31 + i * 7) % (most + 1);
          put(stored, which * sizes_.block * bits / 8, i, value);
          if (block * sizes_.block + i < sizes_.inner) {
            const double difference = static_cast<double>(value - zero) - fraction;
            reals_.push_back(static_cast<double>(scale) * difference);
          }
        }
      }
    }
    AddBytes("b", {columns, blocks, sizes_.block * bits / 8}, stored);
    if (sizes_.has_zero_points) AddBytes("zeros", {columns * row_bytes}, zeros);
    if (sizes_.has_number_zero_points) builder_.Floats("zeros", {columns, blocks}, numbers);
    builder_.Floats("scales", {columns * blocks}, scales);
    if (sizes_.has_bias) builder_.Floats("bias", {columns}, bias);
  }

  void AddBytes(const std::string& name, const Dims& dims, const std::string& bytes) {
    TensorProto& tensor = *GetGraph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::UINT8);
    for (const std::int64_t dim : dims) tensor.add_dims(dim);
    tensor.set_raw_data(bytes);
  }

  const Sizes sizes_;
  ModelBuilder builder_;
  std::vector<double> reals_;
};

TEST(MatMulNBits, MultipliesBlocksOfBits) {
  const Sizes kSizes[] = {{32, 5, 4, 16, false},
                          {64, 3, 4, 32, true},
                          {48, 4, 4, 32, true, true},
                          {37, 3, 4, 16, true},
                          {32, 5, 8, 16, true},
                          {40, 2, 8, 32, false, true},
                          {32, 3, 2, 16, true},
                          {16, 1, 4, 128, false},
                          {48, 4, 4, 32, false, true, true},
                          {32, 5, 8, 16, false, false, true}};
  for (const Sizes& sizes : kSizes) {
    SCOPED_TRACE(std::to_string(sizes.inner) + " by " + std::to_string(sizes.columns) + ", " +
                 std::to_string(sizes.bits) + " bits");
    BitsModel(sizes).ExpectRight();
  }
}

TEST(MatMulNBits, RefusesZeroPointsThatAreNoNumbers) {
  BitsModel model({32, 5, 4, 16, false, false, true});
  for (TensorProto& tensor : *model.GetGraph().mutable_initializer()) {
    if (tensor.name() != "zeros") continue;
    tensor.clear_raw_data();
    tensor.clear_float_data();
    for (int i = 0; i < 10; ++i) tensor.add_float_data(std::nanf(""));
  }
  const Diagnostic diagnostic = model.Get().ImportError();
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(diagnostic.causes.at(0).why, "zero points is nan")) << ToText(diagnostic);
}

constexpr Sizes kPlain = {32, 5, 4, 16, true};

/// One attribute is another.
Diagnostic ImportWith(const std::string& name, std::int64_t value) {
  BitsModel model(kPlain);
  for (auto& attribute : *model.GetGraph().mutable_node(0)->mutable_attribute()) {
    if (attribute.name() == name) attribute.set_i(value);
  }
  return model.Get().ImportError();
}

TEST(MatMulNBits, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(ImportWith("bits", 3).code, DiagnosticCode::kUnsupportedAttribute);
  for (const std::string name : {"K", "N", "block_size"}) {
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-16}, std::int64_t{1} << 62}) {
      EXPECT_EQ(ImportWith(name, value).code, DiagnosticCode::kInvalidModel) << name << value;
    }
  }
  EXPECT_EQ(ImportWith("block_size", 24).code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(ImportWith("N", 6).code, DiagnosticCode::kInvalidModel);
  EXPECT_EQ(ImportWith("block_size", 1 << 30).code, DiagnosticCode::kInvalidModel);
}

TEST(MatMulNBits, RefusesWhatIsNotKnownOrInAnotherOrder) {
  BitsModel order(kPlain);
  order.Get().Floats("order", {32}, std::vector<float>(32, 0.0F));
  order.GetGraph().mutable_node(0)->set_input(4, "order");
  EXPECT_EQ(order.Get().ImportError().code, DiagnosticCode::kUnsupportedAttribute);
  BitsModel unknown(kPlain);
  unknown.Get().Input("later", {10});
  unknown.GetGraph().mutable_node(0)->set_input(2, "later");
  const Diagnostic diagnostic = unknown.Get().ImportError();
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_TRUE(Contains(diagnostic.causes.at(0).why, "scales are not constant"))
      << ToText(diagnostic);
}

}  // namespace
}  // namespace backplane::onnx::test
