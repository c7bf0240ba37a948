#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/pad_refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace backplane {
namespace reference {
namespace {

constexpr std::int64_t kOutside = -1;

/// One axis of the output: `begin` indices of padding, then those of the input from `first` on that
/// are left, then padding again.
struct PaddedAxis {
  std::int64_t extent;
  std::int64_t begin;
  std::int64_t left;
  std::int64_t first;
  std::int64_t from_step;  // in units
  std::int64_t to_step;

  /// The index of the input that stands at an index of the output.
  std::int64_t FindSource(PaddingMode mode, std::int64_t index) const {
    const std::int64_t position = index - begin;
    if (position >= 0 && position < left) return first + position;
    if (mode == PaddingMode::kConstant) return kOutside;
    if (mode == PaddingMode::kEdge) return first + (position < 0 ? 0 : left - 1);
    return first + (position < 0 ? -position : 2 * (left - 1) - position);
  }
};

PaddedAxis MakeAxis(const PadDescriptor& descriptor, std::uint32_t axis, std::int64_t input,
                    std::int64_t output) {
  const std::int64_t begin = descriptor.pads_begin[axis];
  const std::int64_t end = descriptor.pads_end[axis];
  PaddedAxis padded = {};
  padded.extent = output;
  padded.begin = std::max<std::int64_t>(begin, 0);
  padded.left = input + std::min<std::int64_t>(begin, 0) + std::min<std::int64_t>(end, 0);
  padded.first = -std::min<std::int64_t>(begin, 0);
  return padded;
}

/// The innermost axes that are not padded are a unit, which moves as a whole.
class PadKernel : public Kernel {
 public:
  explicit PadKernel(const Layer& layer)
      : mode_(layer.GetDescriptor<PadDescriptor>().mode),
        has_value_(layer.num_inputs == 2),
        element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)),
        zeros_(layer.Output()) {
    const auto descriptor = layer.GetDescriptor<PadDescriptor>();
    const TensorShape& input = layer.Input(0).shape;
    const TensorShape& output = layer.Output().shape;
    std::uint32_t num_axes = input.rank;
    for (; num_axes > 0; --num_axes) {
      const std::uint32_t axis = num_axes - 1;
      if (descriptor.pads_begin[axis] != 0 || descriptor.pads_end[axis] != 0) break;
      unit_elements_ *= input[axis];
    }
    const DenseSteps from(input);
    const DenseSteps to(output);
    for (std::uint32_t axis = 0; axis < num_axes; ++axis) {
      axes_.push_back(MakeAxis(descriptor, axis, input[axis], output[axis]));
      axes_.back().from_step = from[axis];
      axes_.back().to_step = to[axis];
    }
    if (axes_.empty()) axes_.push_back({1, 0, 1, 0, unit_elements_, unit_elements_});
  }

  void Run(const RunTensors& tensors) const override { PadAxis(tensors, 0, 0, 0); }

 private:
  /// `from` and `to` are the first elements of what the outer axes have chosen.
  void PadAxis(const RunTensors& tensors, std::size_t number, std::int64_t from,
               std::int64_t to) const {
    const PaddedAxis& axis = axes_[number];
    if (number + 1 == axes_.size()) return PadRow(tensors, axis, from, to);
    for (std::int64_t index = 0; index < axis.extent; ++index, to += axis.to_step) {
      const std::int64_t source = axis.FindSource(mode_, index);
      if (source == kOutside) {
        Fill(tensors, to, axis.to_step);
      } else {
        PadAxis(tensors, number + 1, from + source * axis.from_step, to);
      }
    }
  }

  void PadRow(const RunTensors& tensors, const PaddedAxis& axis, std::int64_t from,
              std::int64_t to) const {
    const std::int64_t behind = axis.begin + axis.left;
    PadEdge(tensors, axis, from, to, 0, axis.begin);
    Copy(tensors, from + axis.first * axis.from_step, to + axis.begin * axis.to_step, axis.left);
    PadEdge(tensors, axis, from, to, behind, axis.extent);
  }

  void PadEdge(const RunTensors& tensors, const PaddedAxis& axis, std::int64_t from,
               std::int64_t to, std::int64_t begin, std::int64_t end) const {
    if (mode_ == PaddingMode::kConstant) {
      return Fill(tensors, to + begin * axis.to_step, (end - begin) * axis.to_step);
    }
    for (std::int64_t index = begin; index < end; ++index) {
      Copy(tensors, from + axis.FindSource(mode_, index) * axis.from_step,
           to + index * axis.to_step, 1);
    }
  }

  void Copy(const RunTensors& tensors, std::int64_t from, std::int64_t to,
            std::int64_t units) const {
    const std::size_t bytes = static_cast<std::size_t>(units * unit_elements_) * element_bytes_;
    if (bytes == 0) return;
    std::memcpy(tensors.Output<unsigned char>() + static_cast<std::size_t>(to) * element_bytes_,
                tensors.Input<unsigned char>(0) + static_cast<std::size_t>(from) * element_bytes_,
                bytes);
  }

  void Fill(const RunTensors& tensors, std::int64_t to, std::int64_t elements) const {
    auto* output = tensors.Output<unsigned char>();
    if (!has_value_) return zeros_.Fill(output, to, elements);
    FillElements(output + static_cast<std::size_t>(to) * element_bytes_, elements,
                 tensors.Input<void>(1), element_bytes_);
  }

  const PaddingMode mode_;
  const bool has_value_;
  const std::size_t element_bytes_;
  const ZeroElements zeros_;
  std::vector<PaddedAxis> axes_;
  std::int64_t unit_elements_ = 1;
};

}  // namespace

std::string FindRefusalOfPad(const Layer& layer) {
  Refusal refusal;
  RequirePad(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakePad(const Layer& layer) {
  return std::make_unique<PadKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
