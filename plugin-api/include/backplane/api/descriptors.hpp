#pragma once

/// All layer descriptors.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/arg_min_max.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/batch_normalization.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/cumulative_sum.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/group_normalization.hpp>
#include <backplane/api/descriptors/hardmax.hpp>
#include <backplane/api/descriptors/instance_normalization.hpp>
#include <backplane/api/descriptors/layer_normalization.hpp>
#include <backplane/api/descriptors/local_response_normalization.hpp>
#include <backplane/api/descriptors/lp_normalization.hpp>
#include <backplane/api/descriptors/mean_variance_normalization.hpp>
#include <backplane/api/descriptors/negative_log_likelihood_loss.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/top_k.hpp>
