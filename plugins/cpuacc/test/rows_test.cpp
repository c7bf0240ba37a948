#include "cpu_layers/refusal.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/arg_min_max.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/group_normalization.hpp>
#include <backplane/api/descriptors/instance_normalization.hpp>
#include <backplane/api/descriptors/layer_normalization.hpp>
#include <backplane/api/descriptors/local_response_normalization.hpp>
#include <backplane/api/descriptors/lp_normalization.hpp>
#include <backplane/api/descriptors/mean_variance_normalization.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

/// From one element to more than the lanes of any loop, with and without full vectors.
const std::vector<TensorShape> kShapes = {
    {},         {1},          {7},           {3001},      {130, 2},
    {3, 17},    {5, 4097},    {2, 5, 65},    {2, 64, 64}, {3, 129, 16},
    {4, 1, 33}, {2, 3, 5, 7}, {1, 70, 9, 1}, {0, 3},      {3, 0, 2}};

std::string ToTextRows(const TensorShape& shape) {
  return cpu_layers::DescribeShape(shape);
}

/// A layer alone that has one input and gives its shape.
template <typename Descriptor>
void ExpectOfShape(LayerType type, const Descriptor& descriptor, const TensorShape& shape) {
  NetworkCase network;
  network.AddOutput(network.Add(type, descriptor, {network.AddInput(shape)}, shape));
  ExpectAsCpuRef(network);
}

TEST(Rows, SoftmaxAlongEveryAxis) {
  for (const TensorShape& shape : kShapes) {
    for (SoftmaxDescriptor softmax; softmax.axis < shape.rank; ++softmax.axis) {
      SCOPED_TRACE(ToTextRows(shape) + " along " + std::to_string(softmax.axis));
      for (const float beta : {1.0F, -2.5F}) {
        softmax.beta = beta;
        ExpectOfShape(LayerType::kSoftmax, softmax, shape);
        ExpectOfShape(LayerType::kLogSoftmax, softmax, shape);
      }
    }
  }
}

TensorShape Reduce(const TensorShape& shape, const ReduceDescriptor& reduce) {
  TensorShape reduced = shape;
  for (std::uint32_t i = 0; i < reduce.num_axes; ++i) reduced[reduce.axes[i]] = -1;
  TensorShape result;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (reduced[axis] != -1) result.Append(shape[axis]);
    if (reduced[axis] == -1 && reduce.keep_dims != 0) result.Append(1);
  }
  return result;
}

TEST(Rows, ReducesOverEverySetOfAxes) {
  for (const TensorShape& shape : kShapes) {
    for (std::uint32_t set = 0; set < 1U << shape.rank; ++set) {
      ReduceDescriptor reduce;
      reduce.keep_dims = set % 2;
      for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
        if ((set >> axis & 1U) != 0) reduce.axes[reduce.num_axes++] = axis;
      }
      for (std::uint32_t operation = 1; operation <= 10; ++operation) {
        SCOPED_TRACE(ToTextRows(shape) + ", set " + std::to_string(set) + ", operation " +
                     std::to_string(operation));
        reduce.operation = static_cast<ReduceOperation>(operation);
        NetworkCase network;
        const TensorId input = network.AddInput(shape);
        network.AddOutput(network.Add(LayerType::kReduce, reduce, {input}, Reduce(shape, reduce)));
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Rows, FindsExtremesAlongEveryAxis) {
  for (const TensorShape& shape : kShapes) {
    for (ArgMinMaxDescriptor find; find.axis < shape.rank; ++find.axis) {
      if (shape[find.axis] == 0) continue;
      SCOPED_TRACE(ToTextRows(shape) + " along " + std::to_string(find.axis));
      for (const auto operation : {ArgOperation::kMinimum, ArgOperation::kMaximum}) {
        find.operation = operation;
        find.keep_dims = 1;
        find.select_last = 1 - find.select_last;
        TensorShape found = shape;
        found[find.axis] = 1;
        NetworkCase network;
        const TensorId input = network.AddInput(shape);
        network.AddOutput(network.AddLayer(LayerType::kArgMinMax, find, {input},
                                           {TensorInfo(found, DataType::kInt64)})[0]);
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Rows, NormalizesOverEverySetOfAxes) {
  for (const TensorShape& shape : kShapes) {
    for (std::uint32_t set = 0; set < 1U << shape.rank; ++set) {
      SCOPED_TRACE(ToTextRows(shape) + ", set " + std::to_string(set));
      MeanVarianceNormalizationDescriptor normalization;
      normalization.epsilon = 1.0e-3F;
      for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
        if ((set >> axis & 1U) != 0) normalization.axes[normalization.num_axes++] = axis;
      }
      ExpectOfShape(LayerType::kMeanVarianceNormalization, normalization, shape);
    }
  }
}

TEST(Rows, NormalizesAlongEveryAxis) {
  for (const TensorShape& shape : kShapes) {
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      SCOPED_TRACE(ToTextRows(shape) + " along " + std::to_string(axis));
      LpNormalizationDescriptor by_norm;
      by_norm.axis = axis;
      by_norm.order = 1 + axis % 2;
      ExpectOfShape(LayerType::kLpNormalization, by_norm, shape);
      LocalResponseNormalizationDescriptor by_neighbours;
      by_neighbours.axis = axis;
      by_neighbours.size = 4 + axis;
      by_neighbours.alpha = 0.3F;
      ExpectOfShape(LayerType::kLocalResponseNormalization, by_neighbours, shape);
    }
  }
}

TEST(Rows, NormalizesLayersFromEveryAxisOn) {
  for (const TensorShape& shape : kShapes) {
    for (LayerNormalizationDescriptor layer; layer.axis < shape.rank; ++layer.axis) {
      TensorShape row;
      TensorShape statistics = shape;
      for (std::uint32_t axis = layer.axis; axis < shape.rank; ++axis) {
        row.Append(shape[axis]);
        statistics[axis] = 1;
      }
      for (layer.num_outputs = 1; layer.num_outputs <= 3; ++layer.num_outputs) {
        SCOPED_TRACE(ToTextRows(shape) + " from " + std::to_string(layer.axis));
        NetworkCase network;
        std::vector<TensorId> inputs = {network.AddInput(shape), network.AddInput(row)};
        if (layer.num_outputs != 2) inputs.push_back(network.AddConstant(row));
        std::vector<TensorInfo> infos(layer.num_outputs, Float(statistics));
        infos[0] = Float(shape);
        for (const TensorId output :
             network.AddLayer(LayerType::kLayerNormalization, layer, inputs, infos)) {
          network.AddOutput(output);
        }
        ExpectAsCpuRef(network);
      }
    }
  }
}

TEST(Rows, NormalizesChannelsAndGroupsOfThem) {
  for (const TensorShape& shape :
       {TensorShape{2, 6}, {1, 6, 4001}, {3, 12, 5, 7}, {2, 6, 65}, {0, 6, 3}, {2, 6, 0}}) {
    SCOPED_TRACE(ToTextRows(shape));
    NetworkCase network;
    const std::vector<TensorId> inputs = {network.AddInput(shape), network.AddInput({shape[1]}),
                                          network.AddConstant({shape[1]})};
    network.AddOutput(network.Add(LayerType::kInstanceNormalization,
                                  InstanceNormalizationDescriptor(), inputs, shape));
    GroupNormalizationDescriptor groups;
    groups.num_groups = 3;
    network.AddOutput(network.Add(LayerType::kGroupNormalization, groups, inputs, shape));
    ExpectAsCpuRef(network);
  }
}

TensorId AddConvolutionRows(NetworkCase& network, TensorId input, std::int64_t num_channels) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  TensorShape shape = network.GetShape(input);
  const TensorId weights = network.AddConstant({num_channels, shape[1], 1, 1});
  shape[1] = num_channels;
  return network.Add(LayerType::kConvolution, descriptor, {input, weights}, shape);
}

TEST(Rows, ReducesTensorsAsConvolutionsLeaveThem) {
  for (const std::int64_t num_channels : {16, 20}) {
    for (std::uint32_t operation = 1; operation <= 10; ++operation) {
      SCOPED_TRACE(std::to_string(num_channels) + " channels, operation " +
                   std::to_string(operation));
      NetworkCase network;
      const TensorId convolved =
          AddConvolutionRows(network, network.AddInput({2, 3, 9, 7}), num_channels);
      ReduceDescriptor reduce;
      reduce.operation = static_cast<ReduceOperation>(operation);
      reduce.num_axes = 2;
      reduce.axes[0] = 2;
      reduce.axes[1] = 3;
      const TensorShape flat = {2, num_channels};
      network.AddOutput(network.Add(LayerType::kReduce, reduce, {convolved}, flat));
      reduce.keep_dims = 1;
      const TensorId kept =
          network.Add(LayerType::kReduce, reduce, {convolved}, {2, num_channels, 1, 1});
      if (operation < 8) network.AddOutput(AddConvolutionRows(network, kept, 5));
      network.AddOutput(kept);
      ExpectAsCpuRef(network);
    }
  }
}

TEST(Rows, PoolsAllOfWhatConvolutionsLeave) {
  for (const std::int64_t num_channels : {16, 20}) {
    for (const auto method : {PoolingMethod::kMax, PoolingMethod::kAverage}) {
      NetworkCase network;
      const TensorId convolved =
          AddConvolutionRows(network, network.AddInput({2, 3, 9, 7}), num_channels);
      PoolingDescriptor pooling;
      pooling.method = method;
      pooling.kernel[0] = 9;
      pooling.kernel[1] = 7;
      const TensorId pooled =
          network.Add(LayerType::kPooling, pooling, {convolved}, {2, num_channels, 1, 1});
      network.AddOutput(pooled);
      network.AddOutput(AddConvolutionRows(network, pooled, 5));
      ExpectAsCpuRef(network);
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
