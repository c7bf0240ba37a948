#include "conformance/network_plan.hpp"

#include <backplane/api/descriptors.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace conformance {
namespace {

std::vector<float> MakeFloats(Random& random, const TensorShape& shape, float least, float most) {
  std::vector<float> elements = random.Tensor(shape).data;  // from -2 to 2
  for (float& element : elements) element = least + (element + 2.0F) / 4.0F * (most - least);
  return elements;
}

/// Adds layers to a plan. Tensors are [N, C, H, W].
class Planner {
 public:
  Planner(NetworkPlan& plan, Random& random, const PlanExtents& extents,
          const IsAllowed& is_allowed)
      : plan_(plan), random_(random), extents_(extents), is_allowed_(is_allowed) {
    for (const TensorShape& shape : extents.inputs) {
      plan_.inputs.push_back(AddTensor(shape));
      tensors_.push_back(plan_.inputs.back());
    }
  }

  /// False when what was chosen cannot be there.
  bool AddLayer() {
    static constexpr bool (Planner::*kKinds[])() = {
        &Planner::AddActivation,  &Planner::AddUnary,     &Planner::AddBinary,
        &Planner::AddScale,       &Planner::AddSoftmax,   &Planner::AddConvolution,
        &Planner::AddPooling,     &Planner::AddConcat,    &Planner::AddSplit,
        &Planner::AddTranspose,   &Planner::AddReduction, &Planner::AddNormalization,
        &Planner::AddFlatProduct, &Planner::AddReshape,
    };
    const auto last = static_cast<std::int64_t>(std::size(kKinds)) - 1;
    return (this->*kKinds[random_.Integer(0, last)])();
  }

 private:
  const TensorShape& GetShape(std::size_t tensor) const { return plan_.tensors[tensor]; }

  std::size_t AddTensor(const TensorShape& shape) {
    plan_.tensors.push_back(shape);
    plan_.constants.emplace_back();
    return plan_.tensors.size() - 1;
  }

  std::size_t AddConstant(const TensorShape& shape, float least = -1.0F, float most = 1.0F) {
    const std::size_t tensor = AddTensor(shape);
    plan_.constants[tensor] = MakeFloats(random_, shape, least, most);
    return tensor;
  }

  /// Often one of the last, sometimes any.
  std::size_t Pick() {
    const auto count = static_cast<std::int64_t>(tensors_.size());
    const std::int64_t reach =
        random_.Integer(0, 3) == 0 ? count : std::min<std::int64_t>(count, 3);
    return tensors_[static_cast<std::size_t>(count - 1 - random_.Integer(0, reach - 1))];
  }

  bool Add(LayerCase layer, std::vector<std::size_t> inputs) {
    if (!is_allowed_(layer)) return false;
    PlannedLayer planned{std::move(layer), std::move(inputs), {}};
    for (const TensorShape& shape : planned.layer.outputs) {
      planned.outputs.push_back(AddTensor(shape));
      tensors_.push_back(planned.outputs.back());
    }
    plan_.layers.push_back(std::move(planned));
    return true;
  }

  template <typename Descriptor>
  bool AddSame(LayerType type, const Descriptor& descriptor) {
    const std::size_t input = Pick();
    return Add(MakeCase(type, descriptor, {GetShape(input)}, GetShape(input)), {input});
  }

  bool AddActivation() {
    static constexpr ActivationFunction kFunctions[] = {
        ActivationFunction::kRelu, ActivationFunction::kSigmoid, ActivationFunction::kTanH,
        ActivationFunction::kHardSwish, ActivationFunction::kGelu};
    ActivationDescriptor descriptor;
    descriptor.function = kFunctions[random_.Integer(0, 4)];
    return AddSame(LayerType::kActivation, descriptor);
  }

  bool AddUnary() {
    ElementwiseUnaryDescriptor descriptor;
    descriptor.operation =
        random_.Integer(0, 1) == 1 ? UnaryOperation::kAbs : UnaryOperation::kNegate;
    return AddSame(LayerType::kElementwiseUnary, descriptor);
  }

  bool AddBinary() {
    static constexpr BinaryOperation kOperations[] = {
        BinaryOperation::kAdd, BinaryOperation::kSub, BinaryOperation::kMul,
        BinaryOperation::kMaximum, BinaryOperation::kMinimum};
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = kOperations[random_.Integer(0, 4)];
    const std::size_t a = Pick();
    const std::size_t b = Pick();
    if (GetShape(a) != GetShape(b)) return false;
    return Add(MakeCase(LayerType::kElementwiseBinary, descriptor, {GetShape(a), GetShape(b)},
                        GetShape(a)),
               {a, b});
  }

  /// By a constant that broadcasts, as exporters write scales and biases.
  bool AddScale() {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation =
        random_.Integer(0, 1) == 1 ? BinaryOperation::kMul : BinaryOperation::kAdd;
    const std::size_t input = Pick();
    const TensorShape shape = {GetShape(input)[1], 1, 1};
    LayerCase layer = MakeCase(LayerType::kElementwiseBinary, descriptor, {GetShape(input), shape},
                               GetShape(input));
    if (!is_allowed_(layer)) return false;
    return Add(std::move(layer), {input, AddConstant(shape)});
  }

  bool AddSoftmax() {
    SoftmaxDescriptor descriptor;
    descriptor.axis = random_.Word(1, 3);
    return AddSame(LayerType::kSoftmax, descriptor);
  }

  /// Sometimes of each channel by itself. The weights keep numbers near 1.
  bool AddConvolution() {
    const std::size_t input = Pick();
    const TensorShape& from = GetShape(input);
    ConvolutionDescriptor descriptor;
    const bool is_depthwise = random_.Integer(0, 3) == 0;
    if (is_depthwise) descriptor.groups = static_cast<std::uint32_t>(from[1]);
    const auto last = static_cast<std::int64_t>(extents_.channels.size()) - 1;
    const std::int64_t channels =
        is_depthwise ? from[1]
                     : extents_.channels[static_cast<std::size_t>(random_.Integer(0, last))];
    TensorShape output = {from[0], channels};
    TensorShape weights = {channels, is_depthwise ? 1 : from[1]};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::int64_t kernel = random_.Integer(1, std::min<std::int64_t>(3, from[i + 2]));
      descriptor.pads_begin[i] = random_.Word(0, static_cast<std::uint32_t>(kernel) - 1);
      descriptor.pads_end[i] = random_.Word(0, static_cast<std::uint32_t>(kernel) - 1);
      descriptor.strides[i] = random_.Word(1, 2);
      const std::int64_t padded = from[i + 2] + descriptor.pads_begin[i] + descriptor.pads_end[i];
      weights.Append(kernel);
      output.Append((padded - kernel) / descriptor.strides[i] + 1);
    }
    LayerCase layer =
        MakeCase(LayerType::kConvolution, descriptor, {from, weights, {channels}}, output);
    if (!is_allowed_(layer)) return false;
    const float most = 2.0F / static_cast<float>(weights[1] * weights[2]);
    const std::size_t kernel = AddConstant(weights, -most, most);
    return Add(std::move(layer), {input, kernel, AddConstant({channels})});
  }

  bool AddPooling() {
    const std::size_t input = Pick();
    const TensorShape& from = GetShape(input);
    PoolingDescriptor descriptor;
    descriptor.method = random_.Integer(0, 1) == 1 ? PoolingMethod::kMax : PoolingMethod::kAverage;
    TensorShape output = {from[0], from[1]};
    for (std::uint32_t i = 0; i < 2; ++i) {
      descriptor.kernel[i] =
          static_cast<std::uint32_t>(random_.Integer(1, std::min<std::int64_t>(3, from[i + 2])));
      descriptor.pads_begin[i] = (descriptor.kernel[i] - 1) / 2;
      descriptor.pads_end[i] = descriptor.kernel[i] - 1 - descriptor.pads_begin[i];
      output.Append(from[i + 2]);
    }
    return Add(MakeCase(LayerType::kPooling, descriptor, {from}, output), {input});
  }

  bool AddConcat() {
    ConcatDescriptor descriptor;
    descriptor.axis = random_.Word(1, 3);
    const std::size_t a = Pick();
    const std::size_t b = Pick();
    TensorShape other = GetShape(b);
    TensorShape output = GetShape(a);
    output[descriptor.axis] += other[descriptor.axis];
    other[descriptor.axis] = GetShape(a)[descriptor.axis];
    if (other != GetShape(a) || output[descriptor.axis] > extents_.most_joined) return false;
    return Add(MakeCase(LayerType::kConcat, descriptor, {GetShape(a), GetShape(b)}, output),
               {a, b});
  }

  bool AddSplit() {
    SplitDescriptor descriptor;
    descriptor.axis = random_.Word(1, 3);
    const std::size_t input = Pick();
    const std::int64_t extent = GetShape(input)[descriptor.axis];
    if (extent < 2) return false;
    descriptor.num_parts = 2;
    descriptor.extents[0] = random_.Integer(1, extent - 1);
    descriptor.extents[1] = extent - descriptor.extents[0];
    TensorShape first = GetShape(input);
    TensorShape second = first;
    first[descriptor.axis] = descriptor.extents[0];
    second[descriptor.axis] = descriptor.extents[1];
    LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {GetShape(input)}, first);
    layer.outputs.push_back(second);
    return Add(std::move(layer), {input});
  }

  bool AddTranspose() {
    const std::size_t input = Pick();
    TransposeDescriptor descriptor;
    const std::uint32_t a = random_.Word(1, 3);
    const std::uint32_t b = random_.Word(1, 3);
    std::swap(descriptor.permutation[a], descriptor.permutation[b]);
    TensorShape output = GetShape(input);
    std::swap(output[a], output[b]);
    return Add(MakeCase(LayerType::kTranspose, descriptor, {GetShape(input)}, output), {input});
  }

  bool AddReduction() {
    const std::size_t input = Pick();
    ReduceDescriptor descriptor;
    descriptor.operation =
        random_.Integer(0, 1) == 1 ? ReduceOperation::kMean : ReduceOperation::kMaximum;
    descriptor.keep_dims = 1;
    descriptor.num_axes = 1;
    descriptor.axes[0] = random_.Word(1, 3);
    TensorShape output = GetShape(input);
    output[descriptor.axes[0]] = 1;
    return Add(MakeCase(LayerType::kReduce, descriptor, {GetShape(input)}, output), {input});
  }

  bool AddNormalization() {
    const std::size_t input = Pick();
    const TensorShape shape = {GetShape(input)[1]};
    LayerCase layer = MakeCase(LayerType::kBatchNormalization, BatchNormalizationDescriptor(),
                               {GetShape(input), shape, shape, shape, shape}, GetShape(input));
    if (!is_allowed_(layer)) return false;
    const std::size_t scale = AddConstant(shape);
    const std::size_t bias = AddConstant(shape);
    const std::size_t mean = AddConstant(shape);
    return Add(std::move(layer), {input, scale, bias, mean, AddConstant(shape, 0.5F, 2.0F)});
  }

  /// Flattens, multiplies by a matrix, and gives the result four axes again.
  bool AddFlatProduct() {
    const std::size_t input = Pick();
    const TensorShape from = GetShape(input);
    const std::int64_t inner = from[1] * from[2] * from[3];
    const TensorShape flat = {from[0], inner};
    const TensorShape weights = {inner, 6};
    const TensorShape product = {from[0], 6};
    const LayerCase flatten = MakeReshape(from, flat);
    const LayerCase multiply =
        MakeCase(LayerType::kFullyConnected, FullyConnectedDescriptor(), {flat, weights}, product);
    const LayerCase restore = MakeReshape(product, {from[0], 2, 3, 1});
    if (inner > 400 || !is_allowed_(flatten) || !is_allowed_(multiply) || !is_allowed_(restore)) {
      return false;
    }
    Add(flatten, {input});
    const std::size_t flattened = TakeLast();
    Add(multiply, {flattened, AddConstant(weights, -0.5F, 0.5F)});
    return Add(restore, {TakeLast()});
  }

  bool AddReshape() {
    const std::size_t input = Pick();
    const TensorShape& from = GetShape(input);
    return Add(MakeReshape(from, {from[0], from[3], from[1], from[2]}), {input});
  }

  static LayerCase MakeReshape(const TensorShape& from, const TensorShape& to) {
    ReshapeDescriptor descriptor;
    descriptor.rank = to.rank;
    for (std::uint32_t axis = 0; axis < to.rank; ++axis) descriptor.dims[axis] = to[axis];
    return MakeCase(LayerType::kReshape, descriptor, {from}, to);
  }

  /// For tensors that have no four axes.
  std::size_t TakeLast() {
    const std::size_t last = tensors_.back();
    tensors_.pop_back();
    return last;
  }

  NetworkPlan& plan_;
  Random& random_;
  const PlanExtents& extents_;
  const IsAllowed& is_allowed_;
  std::vector<std::size_t> tensors_;  // that layers can read
};

std::vector<std::size_t> FindUnread(const NetworkPlan& plan) {
  std::vector<bool> is_read(plan.tensors.size(), false);
  for (const PlannedLayer& layer : plan.layers) {
    for (const std::size_t input : layer.inputs) is_read[input] = true;
  }
  std::vector<std::size_t> unread;
  for (const PlannedLayer& layer : plan.layers) {
    for (const std::size_t output : layer.outputs) {
      if (!is_read[output]) unread.push_back(output);
    }
  }
  return unread;
}

TensorInfo MakeFloatInfo(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kFloat32);
}

}  // namespace

NetworkPlan MakeRandomPlan(Random& random, std::size_t num_layers, const PlanExtents& extents,
                           const IsAllowed& is_allowed) {
  NetworkPlan plan;
  Planner planner(plan, random, extents, is_allowed);
  const std::size_t num_tries = num_layers * 20;
  for (std::size_t i = 0; i < num_tries && plan.layers.size() < num_layers; ++i) planner.AddLayer();
  plan.outputs = FindUnread(plan);
  return plan;
}

std::vector<StoredTensor> MakePlanInputs(const NetworkPlan& plan, Random& random) {
  std::vector<StoredTensor> inputs;
  for (const std::size_t input : plan.inputs) {
    const FloatTensor tensor = random.Tensor(plan.tensors[input]);
    inputs.push_back(MakeStored(tensor.GetInfo(), tensor.data));
  }
  return inputs;
}

std::vector<TensorInfo> ListPlanOutputs(const NetworkPlan& plan) {
  std::vector<TensorInfo> outputs;
  for (const std::size_t output : plan.outputs) {
    outputs.push_back(MakeFloatInfo(plan.tensors[output]));
  }
  return outputs;
}

std::vector<std::vector<long double>> EvaluatePlan(const NetworkPlan& plan,
                                                   const std::vector<StoredTensor>& inputs) {
  Operands<long double> tensors(plan.tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].shape = plan.tensors[i];
    tensors[i].data.assign(plan.constants[i].begin(), plan.constants[i].end());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    tensors[plan.inputs[i]] = Decode<long double>(inputs[i]);
  }
  for (const PlannedLayer& layer : plan.layers) {
    const Oracle oracle = FindOracle(layer.layer.type);
    Operands<long double> operands;
    for (const std::size_t input : layer.inputs) operands.push_back(tensors[input]);
    for (std::size_t output = 0; output < layer.outputs.size(); ++output) {
      tensors[layer.outputs[output]].data = oracle.evaluate_reals(layer.layer, operands, output);
    }
  }
  std::vector<std::vector<long double>> outputs;
  for (const std::size_t output : plan.outputs) outputs.push_back(tensors[output].data);
  return outputs;
}

std::string DescribePlan(const NetworkPlan& plan) {
  std::string text;
  for (const PlannedLayer& layer : plan.layers) {
    text += (text.empty() ? "" : ", ") + std::string(GetLayerTypeName(layer.layer.type));
  }
  return text;
}

}  // namespace conformance
}  // namespace backplane
