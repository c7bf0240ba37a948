#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {
namespace {

/// A row of an operand, read from one index on: it goes on by one element, or repeats.
template <typename Element>
struct Row {
  const Element* begin;
  std::int64_t step;
};

template <typename Element>
void CopyRow(std::int64_t length, Row<Element> row, Element* output) {
  if (row.step == 0) {
    std::fill_n(output, length, *row.begin);
  } else {
    std::copy_n(row.begin, length, output);
  }
}

/// A loop for each case, so that it can be vectorised: what is repeated is read first, and both
/// elements are read whichever is taken.
template <typename Element>
void SelectRow(std::int64_t length, const std::uint8_t* condition, Row<Element> where_true,
               Row<Element> where_false, Element* output) {
  const auto select = [=](auto get_true, auto get_false) {
    for (std::int64_t i = 0; i < length; ++i) {
      const Element of_true = get_true(i);
      const Element of_false = get_false(i);
      output[i] = condition[i] != 0 ? of_true : of_false;
    }
  };
  const auto repeat = [](Row<Element> row) {
    return [value = *row.begin](std::int64_t) { return value; };
  };
  const auto go_on = [](Row<Element> row) {
    return [begin = row.begin](std::int64_t i) { return begin[i]; };
  };
  if (where_true.step == 0) {
    if (where_false.step == 0) return select(repeat(where_true), repeat(where_false));
    return select(repeat(where_true), go_on(where_false));
  }
  if (where_false.step == 0) return select(go_on(where_true), repeat(where_false));
  select(go_on(where_true), go_on(where_false));
}

/// Moves elements of one size, whatever they are.
template <typename Element>
class WhereKernel : public Kernel {
 public:
  explicit WhereKernel(const Layer& layer) : broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    const auto* condition = tensors.Input<std::uint8_t>(0);
    const auto* a = tensors.Input<Element>(1);
    const auto* b = tensors.Input<Element>(2);
    auto* output = tensors.Output<Element>();
    const std::uint32_t last = broadcast_.rank - 1;
    const std::int64_t length = broadcast_.extents[last];
    VisitLeadingAxes(broadcast_, last, [&](std::int64_t at, std::int64_t at_a, std::int64_t at_b) {
      const Row<Element> row_a = {a + at_a, broadcast_.steps[1][last]};
      const Row<Element> row_b = {b + at_b, broadcast_.steps[2][last]};
      if (broadcast_.steps[0][last] == 0) {
        CopyRow(length, condition[at] != 0 ? row_a : row_b, output);
      } else {
        SelectRow(length, condition + at, row_a, row_b, output);
      }
      output += length;
    });
  }

 private:
  const Broadcast broadcast_;
};

/// The scales of an input that is repeated, or gains axes in front, would be those of another axis.
void RequireKeptScales(const Layer& layer, std::uint32_t index, Refusal& refusal) {
  const TensorInfo& info = layer.Input(index);
  const TensorShape& output = layer.Output().shape;
  if (!info.quantization.IsPerAxis()) return;
  const auto axis = static_cast<std::uint32_t>(info.quantization.axis);
  if (info.shape.rank == output.rank && axis < output.rank && info.shape[axis] == output[axis]) {
    return;
  }
  refusal.Add("input ", index, " of shape ", DescribeShape(info.shape), " is quantised along axis ",
              axis, ", along which the output ", DescribeShape(output), " is another");
}

}  // namespace

std::string FindRefusalOfWhere(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{TensorRole::kBool}, {}});
  RequireBroadcast(layer, refusal);
  RequireKeptScales(layer, 1, refusal);
  RequireKeptScales(layer, 2, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeWhere(const Layer& layer) {
  switch (GetDataTypeSizeBytes(layer.Output().data_type)) {
    case 1:
      return std::make_unique<WhereKernel<std::uint8_t>>(layer);
    case 2:
      return std::make_unique<WhereKernel<std::uint16_t>>(layer);
    case 4:
      return std::make_unique<WhereKernel<std::uint32_t>>(layer);
    default:
      return std::make_unique<WhereKernel<std::uint64_t>>(layer);
  }
}

}  // namespace cpuref
}  // namespace backplane
