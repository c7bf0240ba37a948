/* Numbers and descriptors of the Backend API in C. Written by test/abi/record_abi.py --record from
   the headers in ../api, which say more of each: the same numbers, the same bytes.

   A descriptor begins with its size, and may become longer at its end. Ranks are at most 8. */
#ifndef BACKPLANE_C_LAYERS_H
#define BACKPLANE_C_LAYERS_H
#include <stdint.h>

/* True where a struct has the size that the host knows; fails to compile elsewhere. */
#define BP_SIZE(type, size) typedef char type##_has_its_size[sizeof(type) == (size) ? 1 : -1]
enum { /* ActivationFunction */
  BP_ACTIVATION_FUNCTION_RELU = 1, /* max(0, x) */
  BP_ACTIVATION_FUNCTION_BOUNDED_RELU = 2, /* min(alpha, max(beta, x)) */
  BP_ACTIVATION_FUNCTION_LEAKY_RELU = 3, /* x >= 0 ? x : alpha * x */
  BP_ACTIVATION_FUNCTION_SIGMOID = 4, /* 1 / (1 + exp(-x)) */
  BP_ACTIVATION_FUNCTION_TAN_H = 5, /* alpha * tanh(beta * x) */
  BP_ACTIVATION_FUNCTION_ELU = 6, /* x >= 0 ? x : alpha * (exp(x) - 1) */
  BP_ACTIVATION_FUNCTION_SELU = 7, /* x > 0 ? beta * x : beta * alpha * (exp(x) - 1) */
  BP_ACTIVATION_FUNCTION_CELU = 8, /* x >= 0 ? x : alpha * (exp(x / alpha) - 1); alpha is not 0 */
  BP_ACTIVATION_FUNCTION_GELU = 9, /* x / 2 * (1 + erf(x / sqrt(2))) */
  BP_ACTIVATION_FUNCTION_GELU_TAN_H = 10, /* x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) */
  BP_ACTIVATION_FUNCTION_HARD_SIGMOID = 11, /* max(0, min(1, alpha * x + beta)) */
  BP_ACTIVATION_FUNCTION_HARD_SWISH = 12, /* x * max(0, min(1, x / 6 + 1 / 2)) */
  BP_ACTIVATION_FUNCTION_SWISH = 13, /* x / (1 + exp(-alpha * x)); with alpha 1 also called SiLU */
  BP_ACTIVATION_FUNCTION_SOFTPLUS = 14, /* log(1 + exp(x)) */
  BP_ACTIVATION_FUNCTION_SOFTSIGN = 15, /* x / (1 + |x|) */
  BP_ACTIVATION_FUNCTION_MISH = 16, /* x * tanh(log(1 + exp(x))) */
  BP_ACTIVATION_FUNCTION_THRESHOLDED_RELU = 17, /* x > alpha ? x : 0 */
  BP_ACTIVATION_FUNCTION_SHRINK = 18, /* x < -alpha ? x + beta : x > alpha ? x - beta : 0 */
  BP_ACTIVATION_FUNCTION_LINEAR = 19, /* alpha * x + beta */
};
enum { /* ArgOperation */
  BP_ARG_OPERATION_MINIMUM = 1,
  BP_ARG_OPERATION_MAXIMUM = 2,
};
enum { /* BinaryOperation */
  BP_BINARY_OPERATION_ADD = 1,
  BP_BINARY_OPERATION_SUB = 2,
  BP_BINARY_OPERATION_MUL = 3,
  BP_BINARY_OPERATION_DIV = 4,
  BP_BINARY_OPERATION_MAXIMUM = 5, /* of a number and NaN, NaN */
  BP_BINARY_OPERATION_MINIMUM = 6, /* likewise */
  BP_BINARY_OPERATION_POWER = 7, /* input 0 raised to input 1 */
  BP_BINARY_OPERATION_MODULO = 8, /* what is left of a division, with the sign of the divisor */
  BP_BINARY_OPERATION_REMAINDER = 9, /* what is left of a division, with the sign of the dividend */
  BP_BINARY_OPERATION_SQUARED_DIFFERENCE = 10, /* (a - b) * (a - b) */
};
enum { /* BitwiseOperation */
  BP_BITWISE_OPERATION_AND = 1,
  BP_BITWISE_OPERATION_OR = 2,
  BP_BITWISE_OPERATION_XOR = 3,
  BP_BITWISE_OPERATION_SHIFT_LEFT = 4,
  BP_BITWISE_OPERATION_SHIFT_RIGHT = 5,
};
enum { /* ComparisonOperation */
  BP_COMPARISON_OPERATION_EQUAL = 1,
  BP_COMPARISON_OPERATION_NOT_EQUAL = 2,
  BP_COMPARISON_OPERATION_GREATER = 3,
  BP_COMPARISON_OPERATION_GREATER_OR_EQUAL = 4,
  BP_COMPARISON_OPERATION_LESS = 5,
  BP_COMPARISON_OPERATION_LESS_OR_EQUAL = 6,
};
enum { /* DataType */
  BP_DATA_TYPE_UNDEFINED = 0,
  BP_DATA_TYPE_FLOAT32 = 1,
  BP_DATA_TYPE_FLOAT16 = 2,
  BP_DATA_TYPE_B_FLOAT16 = 3,
  BP_DATA_TYPE_FLOAT64 = 4,
  BP_DATA_TYPE_INT8 = 5,
  BP_DATA_TYPE_U_INT8 = 6,
  BP_DATA_TYPE_INT16 = 7,
  BP_DATA_TYPE_U_INT16 = 8,
  BP_DATA_TYPE_INT32 = 9,
  BP_DATA_TYPE_U_INT32 = 10,
  BP_DATA_TYPE_INT64 = 11,
  BP_DATA_TYPE_U_INT64 = 12,
  BP_DATA_TYPE_BOOL = 13,
  BP_DATA_TYPE_FLOAT8_E4_M3_FN = 14,
  BP_DATA_TYPE_FLOAT8_E4_M3_FNUZ = 15,
  BP_DATA_TYPE_FLOAT8_E5_M2 = 16,
  BP_DATA_TYPE_FLOAT8_E5_M2_FNUZ = 17,
  BP_DATA_TYPE_FLOAT8_E8_M0_FNU = 18,
  BP_DATA_TYPE_FLOAT4_E2_M1_FN = 19,
  BP_DATA_TYPE_INT4 = 20,
  BP_DATA_TYPE_U_INT4 = 21,
  BP_DATA_TYPE_INT2 = 22,
  BP_DATA_TYPE_U_INT2 = 23,
};
enum { /* DepthOrder */
  BP_DEPTH_ORDER_BLOCK_FIRST = 1, /* [block..., C]: "DCR" of ONNX */
  BP_DEPTH_ORDER_CHANNEL_FIRST = 2, /* [C, block...]: "CRD" of ONNX */
};
enum { /* GridPadding */
  BP_GRID_PADDING_ZEROS = 1,
  BP_GRID_PADDING_BORDER = 2, /* the element at the border that is nearest, for each neighbour of a place */
  BP_GRID_PADDING_REFLECTION = 3, /* the input mirrored at its borders, as often as needed */
};
enum { /* IndexOrder */
  BP_INDEX_ORDER_ROW_MAJOR = 1, /* the innermost axis runs fastest, as elements lie in memory */
  BP_INDEX_ORDER_COLUMN_MAJOR = 2, /* the outermost spatial axis runs fastest */
};
enum { /* Interpolation */
  BP_INTERPOLATION_NEAREST = 1,
  BP_INTERPOLATION_LINEAR = 2, /* of the 2 neighbours along each axis */
  BP_INTERPOLATION_CUBIC = 3, /* of the 4 neighbours along each axis */
};
enum { /* LayerType */
  BP_LAYER_UNDEFINED = 0,
  BP_LAYER_INPUT = 1,
  BP_LAYER_OUTPUT = 2,
  BP_LAYER_CONSTANT = 3,
  BP_LAYER_COPY = 4,
  BP_LAYER_IMPORT = 5,
  BP_LAYER_PRE_COMPILED = 6,
  BP_LAYER_ACTIVATION = 16,
  BP_LAYER_BATCH_MAT_MUL = 17,
  BP_LAYER_CONCAT = 18,
  BP_LAYER_CONVOLUTION = 19,
  BP_LAYER_ELEMENTWISE_BINARY = 20,
  BP_LAYER_FULLY_CONNECTED = 21,
  BP_LAYER_POOLING = 22,
  BP_LAYER_RESHAPE = 23,
  BP_LAYER_SOFTMAX = 24,
  BP_LAYER_SPLIT = 25,
  BP_LAYER_ELEMENTWISE_UNARY = 26,
  BP_LAYER_FLOAT_CLASSIFICATION = 27,
  BP_LAYER_COMPARISON = 28,
  BP_LAYER_LOGICAL_BINARY = 29,
  BP_LAYER_BITWISE_BINARY = 30,
  BP_LAYER_WHERE = 31,
  BP_LAYER_PRELU = 32,
  BP_LAYER_CAST = 33,
  BP_LAYER_QUANTIZE = 34,
  BP_LAYER_DEQUANTIZE = 35,
  BP_LAYER_DYNAMIC_QUANTIZE = 36,
  BP_LAYER_REINTERPRET = 37,
  BP_LAYER_INTEGER_CONVOLUTION = 38,
  BP_LAYER_INTEGER_MAT_MUL = 39,
  BP_LAYER_TRANSPOSED_CONVOLUTION = 40,
  BP_LAYER_MAX_POOLING_WITH_INDICES = 41,
  BP_LAYER_MAX_UNPOOLING = 42,
  BP_LAYER_EINSUM = 43,
  BP_LAYER_DETERMINANT = 44,
  BP_LAYER_BATCH_NORMALIZATION = 45,
  BP_LAYER_INSTANCE_NORMALIZATION = 46,
  BP_LAYER_LAYER_NORMALIZATION = 47,
  BP_LAYER_GROUP_NORMALIZATION = 48,
  BP_LAYER_LOCAL_RESPONSE_NORMALIZATION = 49,
  BP_LAYER_MEAN_VARIANCE_NORMALIZATION = 50,
  BP_LAYER_LP_NORMALIZATION = 51,
  BP_LAYER_LOG_SOFTMAX = 52,
  BP_LAYER_HARDMAX = 53,
  BP_LAYER_NEGATIVE_LOG_LIKELIHOOD_LOSS = 54,
  BP_LAYER_REDUCE = 55,
  BP_LAYER_ARG_MIN_MAX = 56,
  BP_LAYER_TOP_K = 57,
  BP_LAYER_CUMULATIVE_SUM = 58,
  BP_LAYER_SLICE = 59,
  BP_LAYER_PAD = 60,
  BP_LAYER_TRANSPOSE = 61,
  BP_LAYER_EXPAND = 62,
  BP_LAYER_TILE = 63,
  BP_LAYER_TRIANGULAR_PART = 64,
  BP_LAYER_GATHER = 65,
  BP_LAYER_GATHER_ELEMENTS = 66,
  BP_LAYER_GATHER_ND = 67,
  BP_LAYER_SCATTER_ELEMENTS = 68,
  BP_LAYER_SCATTER_ND = 69,
  BP_LAYER_ONE_HOT = 70,
  BP_LAYER_DEPTH_TO_SPACE = 71,
  BP_LAYER_SPACE_TO_DEPTH = 72,
  BP_LAYER_SPACE_TO_BATCH = 73,
  BP_LAYER_BATCH_TO_SPACE = 74,
  BP_LAYER_REVERSE_SEQUENCE = 75,
  BP_LAYER_RANGE = 76,
  BP_LAYER_FILL = 77,
  BP_LAYER_SHAPE = 78,
  BP_LAYER_SIZE = 79,
  BP_LAYER_EYE_LIKE = 80,
  BP_LAYER_CUSTOM = 81,
  BP_LAYER_RESIZE = 82,
  BP_LAYER_GRID_SAMPLE = 83,
  BP_LAYER_ROI_ALIGN = 84,
  BP_LAYER_LSTM = 85,
  BP_LAYER_GRU = 86,
  BP_LAYER_RNN = 87,
  BP_LAYER_DFT = 88,
  BP_LAYER_WINDOW_FUNCTION = 89,
  BP_LAYER_FOLD_WINDOWS = 90,
  BP_LAYER_BIT_CAST = 91,
};
enum { /* LogLevel */
  BP_LOG_LEVEL_TRACE = 1,
  BP_LOG_LEVEL_DEBUG = 2,
  BP_LOG_LEVEL_INFO = 3,
  BP_LOG_LEVEL_WARNING = 4,
  BP_LOG_LEVEL_ERROR = 5,
};
enum { /* LogicalOperation */
  BP_LOGICAL_OPERATION_AND = 1,
  BP_LOGICAL_OPERATION_OR = 2,
  BP_LOGICAL_OPERATION_XOR = 3,
};
enum { /* LossReduction */
  BP_LOSS_REDUCTION_NONE = 1, /* they are the output */
  BP_LOSS_REDUCTION_MEAN = 2, /* the sum of them divided by the sum of their weights */
  BP_LOSS_REDUCTION_SUM = 3,
};
enum { /* NarrowOverflow */
  BP_NARROW_OVERFLOW_SATURATE = 1, /* the greatest, with the sign */
  BP_NARROW_OVERFLOW_SPECIAL = 2, /* infinity where the type has it, otherwise NaN */
};
enum { /* NearestRounding */
  BP_NEAREST_ROUNDING_ROUND_PREFER_FLOOR = 1, /* the nearer one; the lower one half way */
  BP_NEAREST_ROUNDING_ROUND_PREFER_CEIL = 2, /* the nearer one; the higher one half way */
  BP_NEAREST_ROUNDING_FLOOR = 3,
  BP_NEAREST_ROUNDING_CEIL = 4,
};
enum { /* OutputRounding */
  BP_OUTPUT_ROUNDING_FLOOR = 1,
  BP_OUTPUT_ROUNDING_CEILING = 2,
};
enum { /* PaddingInAverage */
  BP_PADDING_IN_AVERAGE_EXCLUDE = 1,
  BP_PADDING_IN_AVERAGE_INCLUDE = 2,
};
enum { /* PaddingMode */
  BP_PADDING_MODE_CONSTANT = 1, /* one value: input 1, or 0 without it */
  BP_PADDING_MODE_REFLECT = 2, /* the input mirrored at its first and last element, which are not repeated */
  BP_PADDING_MODE_EDGE = 3, /* the nearest element of the input */
};
enum { /* PoolingMethod */
  BP_POOLING_METHOD_MAX = 1,
  BP_POOLING_METHOD_AVERAGE = 2,
  BP_POOLING_METHOD_LP = 3, /* (sum |x|^p)^(1/p) */
};
enum { /* RecurrentActivation */
  BP_RECURRENT_ACTIVATION_AFFINE = 1, /* alpha * x + beta */
  BP_RECURRENT_ACTIVATION_RELU = 2, /* max(0, x) */
  BP_RECURRENT_ACTIVATION_LEAKY_RELU = 3, /* x >= 0 ? x : alpha * x */
  BP_RECURRENT_ACTIVATION_THRESHOLDED_RELU = 4, /* x > alpha ? x : 0 */
  BP_RECURRENT_ACTIVATION_TAN_H = 5, /* alpha * tanh(beta * x) */
  BP_RECURRENT_ACTIVATION_SIGMOID = 6, /* 1 / (1 + exp(-x)) */
  BP_RECURRENT_ACTIVATION_HARD_SIGMOID = 7, /* min(1, max(0, alpha * x + beta)) */
  BP_RECURRENT_ACTIVATION_ELU = 8, /* x >= 0 ? x : alpha * (exp(x) - 1) */
  BP_RECURRENT_ACTIVATION_SOFTSIGN = 9, /* x / (1 + |x|) */
  BP_RECURRENT_ACTIVATION_SOFTPLUS = 10, /* log(1 + exp(x)) */
};
enum { /* RecurrentDirection */
  BP_RECURRENT_DIRECTION_FORWARD = 1,
  BP_RECURRENT_DIRECTION_REVERSE = 2, /* each sequence from its last step to its first */
  BP_RECURRENT_DIRECTION_BIDIRECTIONAL = 3, /* both, with weights of their own: the first is kForward */
};
enum { /* RecurrentLayout */
  BP_RECURRENT_LAYOUT_STEPS_FIRST = 1, /* inputs [S, N, ...], outputs [S, D, N, H], states [D, N, H] */
  BP_RECURRENT_LAYOUT_BATCH_FIRST = 2, /* inputs [N, S, ...], outputs [N, S, D, H], states [N, D, H] */
};
enum { /* ReduceOperation */
  BP_REDUCE_OPERATION_SUM = 1, /* [0] */
  BP_REDUCE_OPERATION_MEAN = 2, /* the sum divided by the number of elements, for integers towards 0 [NaN; 0] */
  BP_REDUCE_OPERATION_MAXIMUM = 3, /* NaN when there is one [-infinity; the least integer of the data type] */
  BP_REDUCE_OPERATION_MINIMUM = 4, /* NaN when there is one [infinity; the greatest integer of the data type] */
  BP_REDUCE_OPERATION_PRODUCT = 5, /* [1] */
  BP_REDUCE_OPERATION_L1 = 6, /* sum of the magnitudes [0] */
  BP_REDUCE_OPERATION_L2 = 7, /* square root of the sum of the squares [0] */
  BP_REDUCE_OPERATION_LOG_SUM = 8, /* [-infinity] */
  BP_REDUCE_OPERATION_LOG_SUM_EXP = 9, /* logarithm of the sum of the exponentials [-infinity] */
  BP_REDUCE_OPERATION_SUM_SQUARE = 10, /* sum of the squares [0] */
};
enum { /* ResizeCoordinates */
  BP_RESIZE_COORDINATES_HALF_PIXEL = 1, /* (x + 0.5) / scale - 0.5 */
  BP_RESIZE_COORDINATES_PYTORCH_HALF_PIXEL = 2, /* the same, but 0 when the output has extent 1 */
  BP_RESIZE_COORDINATES_ALIGN_CORNERS = 3, /* x * (n - 1) / (m - 1), or 0 when m is 1 */
  BP_RESIZE_COORDINATES_ASYMMETRIC = 4, /* x / scale */
  BP_RESIZE_COORDINATES_TF_HALF_PIXEL_FOR_NN = 5, /* (x + 0.5) / scale */
  BP_RESIZE_COORDINATES_TF_CROP_AND_RESIZE = 6, /* in the part of the input from roi_begin to roi_end; see below */
  BP_RESIZE_COORDINATES_HALF_PIXEL_SYMMETRIC = 7, /* kHalfPixel + (1 - m / (n * scale)) * n / 2: the middle of the output */
};
enum { /* RoiCoordinates */
  BP_ROI_COORDINATES_HALF_PIXEL = 1, /* coordinate * spatial_scale - 0.5 */
  BP_ROI_COORDINATES_OUTPUT_HALF_PIXEL = 2, /* coordinate * spatial_scale; regions are at least 1 wide and high */
};
enum { /* ScaleRounding */
  BP_SCALE_ROUNDING_UP = 1, /* the greater one */
  BP_SCALE_ROUNDING_DOWN = 2, /* the smaller one */
  BP_SCALE_ROUNDING_NEAREST = 3, /* the nearer one; the greater one of the number in the middle */
};
enum { /* ScatterReduction */
  BP_SCATTER_REDUCTION_NONE = 1, /* the update; of several for one element the last */
  BP_SCATTER_REDUCTION_ADD = 2,
  BP_SCATTER_REDUCTION_MUL = 3,
  BP_SCATTER_REDUCTION_MAX = 4,
  BP_SCATTER_REDUCTION_MIN = 5,
};
enum { /* Triangle */
  BP_TRIANGLE_UPPER = 1,
  BP_TRIANGLE_LOWER = 2,
};
enum { /* UnaryOperation */
  BP_UNARY_OPERATION_ABS = 1,
  BP_UNARY_OPERATION_NEGATE = 2,
  BP_UNARY_OPERATION_SIGN = 3, /* -1, 0 or 1; of NaN, NaN */
  BP_UNARY_OPERATION_SQRT = 4,
  BP_UNARY_OPERATION_RECIPROCAL = 5,
  BP_UNARY_OPERATION_EXP = 6,
  BP_UNARY_OPERATION_LOG = 7,
  BP_UNARY_OPERATION_SIN = 8,
  BP_UNARY_OPERATION_COS = 9,
  BP_UNARY_OPERATION_TAN = 10,
  BP_UNARY_OPERATION_ASIN = 11,
  BP_UNARY_OPERATION_ACOS = 12,
  BP_UNARY_OPERATION_ATAN = 13,
  BP_UNARY_OPERATION_SINH = 14,
  BP_UNARY_OPERATION_COSH = 15,
  BP_UNARY_OPERATION_ASINH = 16,
  BP_UNARY_OPERATION_ACOSH = 17,
  BP_UNARY_OPERATION_ATANH = 18,
  BP_UNARY_OPERATION_ERF = 19,
  BP_UNARY_OPERATION_CEIL = 20,
  BP_UNARY_OPERATION_FLOOR = 21,
  BP_UNARY_OPERATION_ROUND = 22, /* to the nearest integer, of two the even one */
  BP_UNARY_OPERATION_BITWISE_NOT = 23,
  BP_UNARY_OPERATION_LOGICAL_NOT = 24,
};
enum { /* UnavailabilityReason */
  BP_UNAVAILABILITY_REASON_OTHER = 0,
  BP_UNAVAILABILITY_REASON_NO_DEVICE = 1,
  BP_UNAVAILABILITY_REASON_DRIVER_MISSING = 2,
  BP_UNAVAILABILITY_REASON_DRIVER_TOO_OLD = 3,
  BP_UNAVAILABILITY_REASON_PERMISSION = 4,
  BP_UNAVAILABILITY_REASON_BUSY = 5,
  BP_UNAVAILABILITY_REASON_LICENSE = 6,
};
enum { /* WindowFunction */
  BP_WINDOW_FUNCTION_HANN = 1, /* 0.5 - 0.5 * cos(t) */
  BP_WINDOW_FUNCTION_HAMMING = 2, /* 25 / 46 - 21 / 46 * cos(t) */
  BP_WINDOW_FUNCTION_BLACKMAN = 3, /* 0.42 - 0.5 * cos(t) + 0.08 * cos(2 * t) */
};
typedef struct bp_recurrent_gate {
  uint32_t function; /* BP_RECURRENT_ACTIVATION_... */
  float alpha;
  float beta;
} bp_recurrent_gate;
BP_SIZE(bp_recurrent_gate, 12);
typedef struct bp_activation_descriptor {
  uint32_t size_bytes;
  uint32_t function; /* BP_ACTIVATION_FUNCTION_... */
  float alpha;
  float beta;
} bp_activation_descriptor;
BP_SIZE(bp_activation_descriptor, 16);
typedef struct bp_arg_min_max_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_ARG_OPERATION_... */
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t keep_dims; /* 1: the axis stays, with extent 1 */
  uint32_t select_last; /* of equal elements: 0 the first, 1 the last */
} bp_arg_min_max_descriptor;
BP_SIZE(bp_arg_min_max_descriptor, 20);
typedef struct bp_batch_mat_mul_descriptor {
  uint32_t size_bytes;
  uint32_t transpose_a; /* 1: the last two axes of the first operand are exchanged */
  uint32_t transpose_b; /* 1: the last two axes of the second operand are exchanged */
  uint32_t rounded_block; /* elements of a block that may be rounded; 0: none may be */
} bp_batch_mat_mul_descriptor;
BP_SIZE(bp_batch_mat_mul_descriptor, 16);
typedef struct bp_batch_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* of the channels; counted from the outermost, which is 0 */
  float epsilon; /* finite, 0 or more */
} bp_batch_normalization_descriptor;
BP_SIZE(bp_batch_normalization_descriptor, 12);
typedef struct bp_batch_to_space_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t block[3];
  uint32_t crops_begin[3];
  uint32_t crops_end[3];
} bp_batch_to_space_descriptor;
BP_SIZE(bp_batch_to_space_descriptor, 44);
typedef struct bp_bit_cast_descriptor {
  uint32_t size_bytes;
  uint32_t to; /* its elements have as many bytes as those of the input */
} bp_bit_cast_descriptor;
BP_SIZE(bp_bit_cast_descriptor, 8);
typedef struct bp_bitwise_binary_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_BITWISE_OPERATION_... */
} bp_bitwise_binary_descriptor;
BP_SIZE(bp_bitwise_binary_descriptor, 8);
typedef struct bp_cast_descriptor {
  uint32_t size_bytes;
  uint32_t to; /* BP_DATA_TYPE_... */
  uint32_t overflow; /* BP_NARROW_OVERFLOW_... */
  uint32_t scale_rounding; /* BP_SCALE_ROUNDING_... */
} bp_cast_descriptor;
BP_SIZE(bp_cast_descriptor, 16);
typedef struct bp_comparison_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_COMPARISON_OPERATION_... */
} bp_comparison_descriptor;
BP_SIZE(bp_comparison_descriptor, 8);
typedef struct bp_concat_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
} bp_concat_descriptor;
BP_SIZE(bp_concat_descriptor, 8);
typedef struct bp_convolution_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t strides[3];
  uint32_t dilations[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
  uint32_t groups;
} bp_convolution_descriptor;
BP_SIZE(bp_convolution_descriptor, 60);
typedef struct bp_cumulative_sum_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t exclusive; /* 1: without the element itself */
  uint32_t reverse; /* 1: from the last element on */
} bp_cumulative_sum_descriptor;
BP_SIZE(bp_cumulative_sum_descriptor, 16);
typedef struct bp_depth_to_space_descriptor {
  uint32_t size_bytes;
  uint32_t block_size;
  uint32_t order; /* BP_DEPTH_ORDER_... */
} bp_depth_to_space_descriptor;
BP_SIZE(bp_depth_to_space_descriptor, 12);
typedef struct bp_dequantize_descriptor {
  uint32_t size_bytes;
  uint32_t to; /* one of the floats */
} bp_dequantize_descriptor;
BP_SIZE(bp_dequantize_descriptor, 8);
typedef struct bp_dft_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0; not the last */
  uint32_t is_inverse; /* 1: with the other sign of the exponent, divided by the length */
  uint32_t is_one_sided; /* 1: only the first length / 2 + 1 results; not with is_inverse */
  int64_t length; /* to which the axis is cut off or filled with zeros; 0: its extent */
} bp_dft_descriptor;
BP_SIZE(bp_dft_descriptor, 24);
typedef struct bp_einsum_descriptor {
  uint32_t size_bytes;
  char equation[256]; /* ends with a zero */
} bp_einsum_descriptor;
BP_SIZE(bp_einsum_descriptor, 260);
typedef struct bp_elementwise_binary_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_BINARY_OPERATION_... */
} bp_elementwise_binary_descriptor;
BP_SIZE(bp_elementwise_binary_descriptor, 8);
typedef struct bp_elementwise_unary_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_UNARY_OPERATION_... */
} bp_elementwise_unary_descriptor;
BP_SIZE(bp_elementwise_unary_descriptor, 8);
typedef struct bp_expand_descriptor {
  uint32_t size_bytes;
  uint32_t rank;
  int64_t dims[8];
} bp_expand_descriptor;
BP_SIZE(bp_expand_descriptor, 72);
typedef struct bp_eye_like_descriptor {
  uint32_t size_bytes;
  uint32_t data_type; /* of the output */
  int64_t diagonal; /* 0 is the main one, positive numbers lie above it */
} bp_eye_like_descriptor;
BP_SIZE(bp_eye_like_descriptor, 16);
typedef struct bp_fill_descriptor {
  uint32_t size_bytes;
  uint32_t rank;
  int64_t dims[8];
} bp_fill_descriptor;
BP_SIZE(bp_fill_descriptor, 72);
typedef struct bp_float_classification_descriptor {
  uint32_t size_bytes;
  uint32_t detect_nan;
  uint32_t detect_positive_infinity;
  uint32_t detect_negative_infinity;
} bp_float_classification_descriptor;
BP_SIZE(bp_float_classification_descriptor, 16);
typedef struct bp_fold_windows_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t kernel[3];
  uint32_t strides[3];
  uint32_t dilations[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
  uint32_t reserved;
  int64_t extents[3];
} bp_fold_windows_descriptor;
BP_SIZE(bp_fold_windows_descriptor, 96);
typedef struct bp_fully_connected_descriptor {
  uint32_t size_bytes;
  uint32_t transpose_weights; /* 1: weights are [M, K] instead of [K, M] */
} bp_fully_connected_descriptor;
BP_SIZE(bp_fully_connected_descriptor, 8);
typedef struct bp_gather_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
} bp_gather_descriptor;
BP_SIZE(bp_gather_descriptor, 8);
typedef struct bp_gather_elements_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
} bp_gather_elements_descriptor;
BP_SIZE(bp_gather_elements_descriptor, 8);
typedef struct bp_gather_nd_descriptor {
  uint32_t size_bytes;
  uint32_t batch_dims;
} bp_gather_nd_descriptor;
BP_SIZE(bp_gather_nd_descriptor, 8);
typedef struct bp_grid_sample_descriptor {
  uint32_t size_bytes;
  uint32_t interpolation; /* BP_INTERPOLATION_... */
  uint32_t padding; /* BP_GRID_PADDING_... */
  uint32_t align_corners; /* -1 and 1 are 1: the middle of the elements at the ends; */
  float cubic_coefficient;
} bp_grid_sample_descriptor;
BP_SIZE(bp_grid_sample_descriptor, 20);
typedef struct bp_group_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t num_groups; /* divides the channels */
  float epsilon; /* added to the variance; finite, 0 or more */
} bp_group_normalization_descriptor;
BP_SIZE(bp_group_normalization_descriptor, 12);
typedef struct bp_gru_descriptor {
  uint32_t size_bytes;
  uint32_t direction; /* BP_RECURRENT_DIRECTION_... */
  uint32_t layout; /* BP_RECURRENT_LAYOUT_... */
  uint32_t has_bias;
  uint32_t has_sequence_lengths;
  uint32_t has_initial_hidden;
  uint32_t linear_before_reset; /* 1: the reset gate multiplies the hidden state after the */
  float clip; /* what goes into an activation is bounded to -clip ... clip; 0: it is not */
  bp_recurrent_gate gates[4]; /* BP_RECURRENT_GATE_... */
} bp_gru_descriptor;
BP_SIZE(bp_gru_descriptor, 80);
typedef struct bp_hardmax_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
} bp_hardmax_descriptor;
BP_SIZE(bp_hardmax_descriptor, 8);
typedef struct bp_instance_normalization_descriptor {
  uint32_t size_bytes;
  float epsilon; /* added to the variance; finite, 0 or more */
} bp_instance_normalization_descriptor;
BP_SIZE(bp_instance_normalization_descriptor, 8);
typedef struct bp_layer_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  float epsilon; /* finite, 0 or more */
  uint32_t num_outputs; /* 1 to 3: the result, the mean, the inverse deviation */
} bp_layer_normalization_descriptor;
BP_SIZE(bp_layer_normalization_descriptor, 16);
typedef struct bp_local_response_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* of the channels; counted from the outermost, which is 0 */
  uint32_t size; /* 1 or more */
  float alpha;
  float beta;
  float bias;
} bp_local_response_normalization_descriptor;
BP_SIZE(bp_local_response_normalization_descriptor, 24);
typedef struct bp_logical_binary_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_LOGICAL_OPERATION_... */
} bp_logical_binary_descriptor;
BP_SIZE(bp_logical_binary_descriptor, 8);
typedef struct bp_lp_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t order; /* 1 or 2 */
} bp_lp_normalization_descriptor;
BP_SIZE(bp_lp_normalization_descriptor, 12);
typedef struct bp_lstm_descriptor {
  uint32_t size_bytes;
  uint32_t direction; /* BP_RECURRENT_DIRECTION_... */
  uint32_t layout; /* BP_RECURRENT_LAYOUT_... */
  uint32_t has_bias;
  uint32_t has_sequence_lengths;
  uint32_t has_initial_hidden;
  uint32_t has_initial_cell;
  uint32_t has_peepholes;
  uint32_t input_forget; /* 1: the forget gate is 1 - the input gate */
  float clip; /* what goes into an activation is bounded to -clip ... clip; 0: it is not */
  bp_recurrent_gate gates[6]; /* BP_RECURRENT_GATE_... */
} bp_lstm_descriptor;
BP_SIZE(bp_lstm_descriptor, 112);
typedef struct bp_max_pooling_with_indices_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t kernel[3];
  uint32_t strides[3];
  uint32_t dilations[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
  uint32_t rounding; /* BP_OUTPUT_ROUNDING_... */
  uint32_t index_order; /* BP_INDEX_ORDER_... */
} bp_max_pooling_with_indices_descriptor;
BP_SIZE(bp_max_pooling_with_indices_descriptor, 76);
typedef struct bp_max_unpooling_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  int64_t index_extents[3]; /* usually those of the input of the pooling */
  int64_t extents[3];
} bp_max_unpooling_descriptor;
BP_SIZE(bp_max_unpooling_descriptor, 56);
typedef struct bp_mean_variance_normalization_descriptor {
  uint32_t size_bytes;
  uint32_t num_axes;
  uint32_t axes[8]; /* counted from the outermost, which is 0 */
  float epsilon; /* finite, 0 or more */
} bp_mean_variance_normalization_descriptor;
BP_SIZE(bp_mean_variance_normalization_descriptor, 44);
typedef struct bp_negative_log_likelihood_loss_descriptor {
  uint32_t size_bytes;
  uint32_t reduction; /* BP_LOSS_REDUCTION_... */
  uint32_t has_ignored_target;
  uint32_t reserved;
  int64_t ignored_target;
} bp_negative_log_likelihood_loss_descriptor;
BP_SIZE(bp_negative_log_likelihood_loss_descriptor, 24);
typedef struct bp_one_hot_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* of the output, counted from the outermost, which is 0 */
  int64_t depth;
} bp_one_hot_descriptor;
BP_SIZE(bp_one_hot_descriptor, 16);
typedef struct bp_pad_descriptor {
  uint32_t size_bytes;
  uint32_t mode; /* BP_PADDING_MODE_... */
  int64_t pads_begin[8];
  int64_t pads_end[8];
} bp_pad_descriptor;
BP_SIZE(bp_pad_descriptor, 136);
typedef struct bp_pooling_descriptor {
  uint32_t size_bytes;
  uint32_t method; /* BP_POOLING_METHOD_... */
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t kernel[3];
  uint32_t strides[3];
  uint32_t dilations[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
  uint32_t rounding; /* BP_OUTPUT_ROUNDING_... */
  uint32_t padding_in_average; /* BP_PADDING_IN_AVERAGE_... */
  float p; /* of kLp; greater than 0 */
} bp_pooling_descriptor;
BP_SIZE(bp_pooling_descriptor, 84);
typedef struct bp_range_descriptor {
  uint32_t size_bytes;
  uint32_t reserved;
  int64_t count;
} bp_range_descriptor;
BP_SIZE(bp_range_descriptor, 16);
typedef struct bp_reduce_descriptor {
  uint32_t size_bytes;
  uint32_t operation; /* BP_REDUCE_OPERATION_... */
  uint32_t keep_dims; /* 1: reduced axes stay, with extent 1 */
  uint32_t num_axes;
  uint32_t axes[8]; /* counted from the outermost, which is 0 */
} bp_reduce_descriptor;
BP_SIZE(bp_reduce_descriptor, 48);
typedef struct bp_reshape_descriptor {
  uint32_t size_bytes;
  uint32_t rank;
  int64_t dims[8];
} bp_reshape_descriptor;
BP_SIZE(bp_reshape_descriptor, 72);
typedef struct bp_resize_descriptor {
  uint32_t size_bytes;
  uint32_t interpolation; /* BP_INTERPOLATION_... */
  uint32_t coordinates; /* BP_RESIZE_COORDINATES_... */
  uint32_t rounding; /* only for kNearest */
  uint32_t exclude_outside; /* 1: neighbours outside count nothing; only for kCubic */
  float cubic_coefficient;
  float extrapolation_value;
  uint32_t rank; /* of the input; entries behind it are not read */
  int64_t extents[8]; /* of the output */
  double scales[8]; /* 0: the extent of the output / that of the input */
  double roi_begin[8]; /* only for kTfCropAndResize */
  double roi_end[8];
} bp_resize_descriptor;
BP_SIZE(bp_resize_descriptor, 288);
typedef struct bp_reverse_sequence_descriptor {
  uint32_t size_bytes;
  uint32_t batch_axis; /* counted from the outermost, which is 0 */
  uint32_t time_axis;
} bp_reverse_sequence_descriptor;
BP_SIZE(bp_reverse_sequence_descriptor, 12);
typedef struct bp_rnn_descriptor {
  uint32_t size_bytes;
  uint32_t direction; /* BP_RECURRENT_DIRECTION_... */
  uint32_t layout; /* BP_RECURRENT_LAYOUT_... */
  uint32_t has_bias;
  uint32_t has_sequence_lengths;
  uint32_t has_initial_hidden;
  float clip; /* what goes into an activation is bounded to -clip ... clip; 0: it is not */
  bp_recurrent_gate gates[2]; /* BP_RECURRENT_GATE_... */
} bp_rnn_descriptor;
BP_SIZE(bp_rnn_descriptor, 52);
typedef struct bp_roi_align_descriptor {
  uint32_t size_bytes;
  uint32_t method; /* kAverage or kMax */
  uint32_t coordinates; /* BP_ROI_COORDINATES_... */
  uint32_t output_height;
  uint32_t output_width;
  uint32_t sampling_ratio; /* samples along each axis of a part; 0: one for each element */
  float spatial_scale; /* from the coordinates of the regions to those of the input */
} bp_roi_align_descriptor;
BP_SIZE(bp_roi_align_descriptor, 28);
typedef struct bp_scatter_elements_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t reduction; /* BP_SCATTER_REDUCTION_... */
} bp_scatter_elements_descriptor;
BP_SIZE(bp_scatter_elements_descriptor, 12);
typedef struct bp_scatter_nd_descriptor {
  uint32_t size_bytes;
  uint32_t reduction; /* BP_SCATTER_REDUCTION_... */
} bp_scatter_nd_descriptor;
BP_SIZE(bp_scatter_nd_descriptor, 8);
typedef struct bp_shape_descriptor {
  uint32_t size_bytes;
  uint32_t start;
  uint32_t end; /* at most the rank */
} bp_shape_descriptor;
BP_SIZE(bp_shape_descriptor, 12);
typedef struct bp_slice_descriptor {
  uint32_t size_bytes;
  uint32_t reserved;
  int64_t starts[8];
  int64_t steps[8];
  int64_t extents[8]; /* of the output */
} bp_slice_descriptor;
BP_SIZE(bp_slice_descriptor, 200);
typedef struct bp_softmax_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  float beta; /* factor of the exponents */
} bp_softmax_descriptor;
BP_SIZE(bp_softmax_descriptor, 12);
typedef struct bp_space_to_batch_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t block[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
} bp_space_to_batch_descriptor;
BP_SIZE(bp_space_to_batch_descriptor, 44);
typedef struct bp_space_to_depth_descriptor {
  uint32_t size_bytes;
  uint32_t block_size;
  uint32_t order; /* BP_DEPTH_ORDER_... */
} bp_space_to_depth_descriptor;
BP_SIZE(bp_space_to_depth_descriptor, 12);
typedef struct bp_split_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t num_parts;
  uint32_t reserved;
  int64_t extents[64]; /* of each part along the axis */
} bp_split_descriptor;
BP_SIZE(bp_split_descriptor, 528);
typedef struct bp_tile_descriptor {
  uint32_t size_bytes;
  uint32_t reserved;
  int64_t repeats[8];
} bp_tile_descriptor;
BP_SIZE(bp_tile_descriptor, 72);
typedef struct bp_top_k_descriptor {
  uint32_t size_bytes;
  uint32_t axis; /* counted from the outermost, which is 0 */
  uint32_t largest; /* 0: the smallest */
  uint32_t is_sorted; /* 1: largest or smallest first; 0: in any order */
  int64_t k; /* 0 to the extent of the axis */
} bp_top_k_descriptor;
BP_SIZE(bp_top_k_descriptor, 24);
typedef struct bp_transpose_descriptor {
  uint32_t size_bytes;
  uint32_t permutation[8];
} bp_transpose_descriptor;
BP_SIZE(bp_transpose_descriptor, 36);
typedef struct bp_transposed_convolution_descriptor {
  uint32_t size_bytes;
  uint32_t spatial_rank; /* 1 to kMaxSpatialRank */
  uint32_t strides[3];
  uint32_t dilations[3];
  uint32_t pads_begin[3];
  uint32_t pads_end[3];
  uint32_t output_padding[3];
  uint32_t groups;
} bp_transposed_convolution_descriptor;
BP_SIZE(bp_transposed_convolution_descriptor, 72);
typedef struct bp_triangular_part_descriptor {
  uint32_t size_bytes;
  uint32_t part; /* BP_TRIANGLE_... */
  int64_t diagonal; /* 0 is the main one, positive numbers lie above it */
} bp_triangular_part_descriptor;
BP_SIZE(bp_triangular_part_descriptor, 16);
typedef struct bp_window_function_descriptor {
  uint32_t size_bytes;
  uint32_t function; /* BP_WINDOW_FUNCTION_... */
  uint32_t is_periodic; /* 1: n is the size; 0: size - 1, symmetric */
  uint32_t data_type; /* of the output: one of the floating-point types */
  int64_t size;
} bp_window_function_descriptor;
BP_SIZE(bp_window_function_descriptor, 24);
#endif
