#pragma once

/// All layer descriptors.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/dft.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/grid_sample.hpp>
#include <backplane/api/descriptors/gru.hpp>
#include <backplane/api/descriptors/lstm.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/recurrent.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/resize.hpp>
#include <backplane/api/descriptors/rnn.hpp>
#include <backplane/api/descriptors/roi_align.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/window_function.hpp>
