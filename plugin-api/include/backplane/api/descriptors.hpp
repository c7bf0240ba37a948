#pragma once

/// All layer descriptors.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/batch_to_space.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/depth_to_space.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/expand.hpp>
#include <backplane/api/descriptors/eye_like.hpp>
#include <backplane/api/descriptors/fill.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/gather_elements.hpp>
#include <backplane/api/descriptors/gather_nd.hpp>
#include <backplane/api/descriptors/one_hot.hpp>
#include <backplane/api/descriptors/pad.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/range.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/reverse_sequence.hpp>
#include <backplane/api/descriptors/scatter_elements.hpp>
#include <backplane/api/descriptors/scatter_nd.hpp>
#include <backplane/api/descriptors/shape.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/space_to_batch.hpp>
#include <backplane/api/descriptors/space_to_depth.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/stand_in.hpp>
#include <backplane/api/descriptors/tile.hpp>
#include <backplane/api/descriptors/transpose.hpp>
#include <backplane/api/descriptors/triangular_part.hpp>
