#pragma once

/// All layer descriptors.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/bitwise_binary.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/einsum.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/descriptors/float_classification.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/logical_binary.hpp>
#include <backplane/api/descriptors/max_pooling_with_indices.hpp>
#include <backplane/api/descriptors/max_unpooling.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>
