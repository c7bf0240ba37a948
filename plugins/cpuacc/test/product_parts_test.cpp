// Products of matrices cut in each of the ways that there are, beside the whole, to the bit.

#include "products/product_parts.hpp"
#include "library/engine.hpp"
#include "test/parts_case.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using dnnl::memory;
using Type = memory::data_type;
using ProductDesc = dnnl::matmul::primitive_desc;

struct SizesOfProduct {
  memory::dims batch_a;
  memory::dims batch_b;
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t columns;
};

struct TypesOfProduct {
  Type a = Type::f32;
  Type b = Type::f32;
  Type result = Type::f32;
  bool has_bias = true;
  bool has_scales = false;       // one for each column
  bool has_zero_points = false;  // known in the run
  bool is_transposed = false;    // b
  bool is_packed = false;        // b, as constants are
};

class ProductToCut {
 public:
  ProductToCut(const SizesOfProduct& sizes, const TypesOfProduct& types, OpsCase ops) {
    const memory::desc a = DescribeMatrices(sizes.batch_a, sizes.rows, sizes.inner, types.a, false);
    const memory::desc plain_b =
        DescribeMatrices(sizes.batch_b, sizes.inner, sizes.columns, types.b, types.is_transposed);
    const memory::desc b =
        types.is_packed ? memory::desc(plain_b.dims(), types.b, memory::format_tag::any) : plain_b;
    memory::dims batch = sizes.batch_a;
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = std::max(batch[i], sizes.batch_b[i]);
    const memory::desc result =
        DescribeMatrices(batch, sizes.rows, sizes.columns, types.result, false);
    const memory::desc bias = DescribeMatrices(memory::dims(batch.size(), 1), 1, sizes.columns,
                                               types.a == Type::f32 ? Type::f32 : Type::s32, false);
    dnnl::primitive_attr attributes = MakeAttributesOf(ops, result, batch.size() + 1, parts_);
    if (types.has_scales) {
      std::vector<float> scales;
      for (std::int64_t i = 0; i < sizes.columns; ++i) {
        scales.push_back(0.001F * static_cast<float>(i));
      }
      attributes.set_output_scales(1 << (batch.size() + 1), scales);
    }
    if (types.has_zero_points) {
      for (const int id : {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS}) {
        attributes.set_zero_points(id, 0, {DNNL_RUNTIME_S32_VAL});
        parts_.AddInput(DNNL_ARG_ATTR_ZERO_POINTS | id,
                        memory::desc({1}, Type::s32, memory::format_tag::a));
      }
    }
    const dnnl::matmul::desc desc =
        types.has_bias ? dnnl::matmul::desc(a, b, bias, result) : dnnl::matmul::desc(a, b, result);
    whole_ = ProductDesc(desc, attributes, cpuacc::GetEngine(), true);
    if (!whole_) return;
    parts_.AddInput(DNNL_ARG_SRC, a);
    parts_.AddInput(DNNL_ARG_WEIGHTS, whole_.weights_desc());
    if (types.has_bias) parts_.AddInput(DNNL_ARG_BIAS, bias);
    parts_.SetOutput(result);
  }

  bool IsThere() const {
    return whole_ && std::string(whole_.impl_info_str()).find("ref") == std::string::npos;
  }

  void ExpectSame(int num_threads, bool is_cut) {
    const auto whole = cpuacc::MakeProductKernel(whole_, parts_.GetArguments(), 1);
    const auto cut = cpuacc::MakeProductKernel(whole_, parts_.GetArguments(), num_threads);
    const std::string name = whole_.impl_info_str();
    ExpectSameResults(parts_.Run(*cut, num_threads), parts_.Run(*whole, 1),
                      whole_.dst_desc().data_type(), name);
    // Others may be cut in more ways, and oneDNN uses AMX only for parts that are large enough.
    const bool is_known = KeepsOrder(name) && name.find("amx") == std::string::npos;
    EXPECT_TRUE(!is_known || (parts_.CountHelpers() > 0) == is_cut) << name;
  }

 private:
  static memory::desc DescribeMatrices(const memory::dims& batch, std::int64_t rows,
                                       std::int64_t columns, Type type, bool is_transposed) {
    memory::dims dims = batch;
    dims.insert(dims.end(), {rows, columns});
    memory::dims strides(dims.size(), 1);
    strides[dims.size() - (is_transposed ? 1 : 2)] = is_transposed ? rows : columns;
    std::int64_t step = rows * columns;
    for (std::size_t axis = batch.size(); axis-- > 0; step *= batch[axis]) strides[axis] = step;
    return memory::desc(dims, type, strides);
  }

  PartsCase parts_;
  ProductDesc whole_;
};

void ExpectProduct(const SizesOfProduct& sizes, const TypesOfProduct& types, bool is_cut) {
  for (const OpsCase ops : kAllOps) {
    for (const int num_threads : {2, 3}) {
      SCOPED_TRACE(std::to_string(num_threads) + " threads, ops " +
                   std::to_string(static_cast<int>(ops)) + ", " +
                   std::to_string(sizes.batch_a.size()) + " axes in front, " +
                   std::to_string(sizes.rows) + " to " + std::to_string(sizes.columns) +
                   (types.is_transposed ? ", transposed"
                    : types.is_packed   ? ", packed"
                                        : ""));
      ProductToCut product(sizes, types, ops);
      if (product.IsThere()) product.ExpectSame(num_threads, is_cut);
    }
  }
}

constexpr TypesOfProduct kFloatProducts = {};
constexpr TypesOfProduct kTransposedProducts = {Type::f32, Type::f32, Type::f32, true,
                                                false,     false,     true};
constexpr TypesOfProduct kQuantisedProducts = {Type::u8, Type::s8, Type::u8, true, true};
constexpr TypesOfProduct kSumsOfProducts = {Type::u8, Type::s8, Type::f32, false, false, true};
constexpr TypesOfProduct kSumsOfTransposed = {Type::u8, Type::s8, Type::f32, false,
                                              false,    true,     true};

constexpr TypesOfProduct kPackedProducts = {Type::f32, Type::f32, Type::f32, true,
                                            false,     false,     false,     true};
constexpr TypesOfProduct kPackedSums = {Type::u8, Type::s8, Type::f32, false,
                                        false,    true,     false,     true};

TEST(ProductParts, AreRows) {
  for (const TypesOfProduct& types : {kFloatProducts, kTransposedProducts, kQuantisedProducts,
                                      kSumsOfProducts, kSumsOfTransposed}) {
    ExpectProduct({{}, {}, 65, 33, 19}, types, true);
    ExpectProduct({{}, {}, 200, 64, 48}, types, true);
  }
}

TEST(ProductParts, AreColumnsOfARow) {
  for (const TypesOfProduct& types : {kPackedProducts, kTransposedProducts, kSumsOfTransposed}) {
    ExpectProduct({{}, {}, 1, 64, 192}, types, true);
    ExpectProduct({{}, {}, 1, 33, 259}, types, true);
  }
}

/// oneDNN wants rows of the result without gaps, all columns where each has a scale, and whole
/// weights where it keeps something beside them for zero points.
TEST(ProductParts, AreNoColumnsOtherwise) {
  ExpectProduct({{}, {}, 3, 33, 259}, kPackedProducts, false);
  ExpectProduct({{}, {}, 1, 64, 192}, kQuantisedProducts, false);
  ExpectProduct({{}, {}, 1, 64, 192}, kPackedSums, false);
}

TEST(ProductParts, AreMatrices) {
  for (const TypesOfProduct& types :
       {kFloatProducts, kTransposedProducts, kSumsOfProducts, kSumsOfTransposed}) {
    ExpectProduct({{5}, {5}, 9, 33, 19}, types, true);
    ExpectProduct({{4, 3}, {4, 3}, 9, 33, 19}, types, true);
    ExpectProduct({{7}, {1}, 9, 33, 19}, types, true);
  }
}

TEST(ProductParts, AreNoneOfLittle) {
  for (const TypesOfProduct& types : {kFloatProducts, kQuantisedProducts, kSumsOfProducts}) {
    ExpectProduct({{}, {}, 7, 33, 19}, types, false);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
