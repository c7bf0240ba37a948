/* A whole backend in C11: ReLU, the sum of two tensors and an operator of its own, of float32. It knows of Backplane the
   headers in backplane/c alone, links nothing of it, and has no variables: what it keeps lies in
   the objects that the host asks it to make. */
#define _POSIX_C_SOURCE 200809L
#include <backplane/c/helpers.h>

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#define MAX_RANK 8

struct bp_instance { const bp_host* host; const bp_log* log; };
struct bp_context { int64_t max_elements; }; /* of a tensor; 0: any number */
struct bp_model { int refuse_nan, run_to_end; };
struct bp_builder { uint64_t num_scratch, num_spread; }; /* floats: of a run, of all constants */
struct bp_loaded { uint64_t num_scratch, num_spread; };
struct bp_state { uint64_t num_layers; float scratch[]; };

/* An input that is a constant, with the extents of the output. */
typedef struct constant {
  const float* data; /* null: the input is no constant */
  float* owned;      /* where the constant had other extents; else null */
} constant;
struct bp_workload {
  int is_sum, refuse_nan, run_to_end;
  float slope; /* of numbers below 0 */
  uint32_t num_inputs, rank;
  int64_t dims[MAX_RANK]; /* of the output */
  uint64_t count;
  constant constants[2];
  uint64_t num_scratch; /* floats: of the inputs that are spread in a run */
};

/* ---- Failures -------------------------------------------------------------------------------- */

static bp_status fail_for_memory(const bp_host* host, bp_error* error, const char* what) {
  return bp_failf(host, error, BP_STATUS_OUT_OF_MEMORY, "there is no memory for %s", what);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Whether a tensor can be spread over the output: each axis, counted from the last, has its extent
   or 1. */
static int can_spread(const bp_tensor_info* input, const bp_tensor_info* output) {
  if (input->rank > output->rank) return 0;
  for (uint32_t axis = 0; axis < input->rank; ++axis) {
    const int64_t extent = input->dims[axis];
    if (extent != 1 && extent != output->dims[output->rank - input->rank + axis]) return 0;
  }
  return 1;
}

/* Null strides are dense. Strides along axes of one element say nothing. */
static int is_dense(uint32_t rank, const int64_t* dims, const int64_t* strides) {
  int64_t stride = sizeof(float);
  for (uint32_t axis = rank; strides != NULL && axis-- > 0; stride *= dims[axis])
    if (dims[axis] != 1 && strides[axis] != stride) return 0;
  return 1;
}

/* Writes a dense tensor with the extents of the output. */
static void spread(const bp_workload* workload, uint32_t rank, const int64_t* dims,
                   const float* from, float* to) {
  int64_t steps[MAX_RANK] = {0}, index[MAX_RANK] = {0};
  const uint32_t added = workload->rank - rank;
  int64_t stride = 1;
  for (uint32_t axis = rank; axis-- > 0; stride *= dims[axis])
    steps[added + axis] = dims[axis] == 1 ? 0 : stride;
  for (uint64_t i = 0; i < workload->count; ++i) {
    to[i] = *from;
    for (uint32_t axis = workload->rank; axis-- > 0;) {
      from += steps[axis];
      if (++index[axis] < workload->dims[axis]) break;
      from -= steps[axis] * index[axis];
      index[axis] = 0;
    }
  }
}

/* ---- Instances, contexts and networks -------------------------------------------------------- */

static bp_status start(const bp_start_args* args, bp_instance** instance, bp_error* error) {
  bp_instance* made = malloc(sizeof *made);
  if (made == NULL) return fail_for_memory(args->host, error, "an instance");
  *made = (bp_instance){args->host, args->log};
  made->host->log(made->log, BP_LOG_LEVEL_DEBUG, "a backend in C starts");
  *instance = made;
  return BP_STATUS_SUCCESS;
}

static void stop(bp_instance* instance) {
  instance->host->log(instance->log, BP_LOG_LEVEL_DEBUG, "a backend in C stops");
  free(instance);
}

static const int64_t kRank = 10, kYes = 1, kNo = 0, kMostElements = INT64_MAX;
static const bp_value kNoElements = {BP_VALUE_INT, 0, 1, &kNo};
static const bp_value kAllElements = {BP_VALUE_INT, 0, 1, &kMostElements};
static const bp_value kOff = {BP_VALUE_BOOL, 0, 1, &kNo};
static const bp_named_value kCapabilities[] = {
    {BP_CAPABILITY_RANK, {BP_VALUE_INT, 0, 1, &kRank}},
    {BP_CAPABILITY_IN_PLACE, {BP_VALUE_BOOL, 0, 1, &kYes}},
    {BP_CAPABILITY_STOP, {BP_VALUE_BOOL, 0, 1, &kYes}}};
static const bp_option_schema kOptions[] = {
    {.size_bytes = sizeof(bp_option_schema), .flags = BP_OPTION_OF_CONTEXT, .name = "max_elements",
     .text = "How many elements a tensor may have; 0 stands for any number.",
     .initial = &kNoElements, .least = &kNoElements, .greatest = &kAllElements},
    {.size_bytes = sizeof(bp_option_schema), .flags = BP_OPTION_OF_NETWORK, .name = "refuse_nan",
     .text = "Whether a run fails that meets an input that is not a number.", .initial = &kOff},
    {.size_bytes = sizeof(bp_option_schema), .flags = BP_OPTION_OF_NETWORK, .name = "run_to_end",
     .text = "Whether a layer runs until the run is to end, if that can be.", .initial = &kOff}};

static const uint32_t kFloat32[] = {BP_DATA_TYPE_FLOAT32};
static const bp_operator_slot kTensor = {.size_bytes = sizeof kTensor, .name = "x",
                                         .data_types = kFloat32, .num_data_types = 1};
static const bp_operator_slot* const kTensors[] = {&kTensor};
static const double kSlope = 0.01;
static const bp_value kSlopeValue = {BP_VALUE_FLOAT, 0, 1, &kSlope};
static const bp_option_schema kSlopeSchema = {
    .size_bytes = sizeof kSlopeSchema, .name = "slope",
    .text = "What numbers below 0 are multiplied with.", .initial = &kSlopeValue};
static const bp_option_schema* const kAttributes[] = {&kSlopeSchema};
static const bp_operator kLeaky = {
    .size_bytes = sizeof kLeaky, .domain = "example", .type = "Leaky",
    .text = "Numbers below 0 times a slope.", .version_from = 1, .version_to = 2,
    .inputs = kTensors, .outputs = kTensors, .num_inputs = 1, .num_outputs = 1,
    .attributes = kAttributes, .num_attributes = 1};

static bp_status describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                          bp_error* error) {
  const bp_host* host = instance->host;
  bp_status status = BP_STATUS_SUCCESS;
  if (args->item == BP_ITEM_OPERATOR) return host->add(sink, BP_ITEM_OPERATOR, &kLeaky, error);
  for (int i = 0; i < 3 && status == BP_STATUS_SUCCESS; ++i) {
    if (args->item == BP_ITEM_CAPABILITY)
      status = host->add(sink, BP_ITEM_CAPABILITY, &kCapabilities[i], error);
    if (args->item == BP_ITEM_OPTION)
      status = host->add(sink, BP_ITEM_OPTION, &kOptions[i], error);
  }
  return status;
}

/* The host has checked names, types and bounds. */
static int64_t read_option(const bp_scope* scope, const char* name, int64_t initial) {
  for (uint32_t i = 0; i < scope->num_options; ++i) {
    const bp_named_value* option = &scope->options[i];
    if (strcmp(option->name, name) == 0) return *(const int64_t*)option->value.data;
  }
  return initial;
}

static bp_status make_context(bp_instance* instance, const bp_context_args* args,
                              bp_context** context, bp_error* error) {
  bp_context* made = malloc(sizeof *made);
  if (made == NULL) return fail_for_memory(instance->host, error, "a context");
  made->max_elements = read_option(args->scope, "max_elements", 0);
  *context = made;
  return BP_STATUS_SUCCESS;
}
static void free_context(bp_context* context) { free(context); }

static bp_status make_model(bp_instance* instance, const bp_scope_args* args, bp_model** model,
                            bp_error* error) {
  bp_model* made = malloc(sizeof *made);
  if (made == NULL) return fail_for_memory(instance->host, error, "a network");
  made->refuse_nan = read_option(args->scope, "refuse_nan", 0) != 0;
  made->run_to_end = read_option(args->scope, "run_to_end", 0) != 0;
  *model = made;
  return BP_STATUS_SUCCESS;
}
static void free_model(bp_model* model) { free(model); }

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Each gives success, or says why a layer cannot run here. */
#define REFUSE(...) return bp_failf(scope->host, error, BP_STATUS_UNSUPPORTED, __VA_ARGS__)

static bp_status check_tensor(const bp_scope* scope, const bp_tensor_info* info, const char* what,
                              uint32_t index, bp_error* error) {
  const int64_t most = scope->context != NULL ? scope->context->max_elements : 0;
  if (info == NULL) REFUSE("%s %u is left out", what, index);
  if (info->data_type != BP_DATA_TYPE_FLOAT32)
    REFUSE("%s %u has the data type %u; only float32 (%d) is supported", what, index,
           info->data_type, BP_DATA_TYPE_FLOAT32);
  if (info->quantization != NULL) REFUSE("%s %u is quantised", what, index);
  if (info->rank > MAX_RANK)
    REFUSE("%s %u has the rank %u; up to %d is supported", what, index, info->rank, MAX_RANK);
  if (most != 0 && bp_count_elements(info->rank, info->dims) > (uint64_t)most)
    REFUSE("%s %u has %" PRIu64 " elements; the option max_elements allows %" PRId64, what, index,
           bp_count_elements(info->rank, info->dims), most);
  return BP_STATUS_SUCCESS;
}

static bp_status check_operator(const bp_scope* scope, const bp_layer* layer, bp_error* error) {
  if (layer->type == BP_LAYER_ACTIVATION) {
    const bp_activation_descriptor* descriptor = layer->descriptor;
    if (descriptor->function == BP_ACTIVATION_FUNCTION_RELU) return BP_STATUS_SUCCESS;
    REFUSE("activation function %u is not supported, only Relu (%d)", descriptor->function,
           BP_ACTIVATION_FUNCTION_RELU);
  }
  if (layer->type == BP_LAYER_ELEMENTWISE_BINARY) {
    const bp_elementwise_binary_descriptor* descriptor = layer->descriptor;
    if (descriptor->operation == BP_BINARY_OPERATION_ADD) return BP_STATUS_SUCCESS;
    REFUSE("operation %u is not supported, only Add (%d)", descriptor->operation,
           BP_BINARY_OPERATION_ADD);
  }
  if (layer->type == BP_LAYER_CUSTOM) return BP_STATUS_SUCCESS; /* held against kLeaky already */
  REFUSE("layer type %u is not supported, only Activation (%d) and ElementwiseBinary (%d)",
         layer->type, BP_LAYER_ACTIVATION, BP_LAYER_ELEMENTWISE_BINARY);
}

static bp_status check_layer(const bp_scope* scope, const bp_layer* layer, bp_error* error) {
  bp_status status = check_operator(scope, layer, error);
  for (uint32_t i = 0; i < layer->num_inputs && status == BP_STATUS_SUCCESS; ++i)
    status = check_tensor(scope, layer->inputs[i], "input", i, error);
  if (status == BP_STATUS_SUCCESS)
    status = check_tensor(scope, layer->outputs[0], "output", 0, error);
  for (uint32_t i = 0; i < layer->num_inputs && status == BP_STATUS_SUCCESS; ++i)
    if (!can_spread(layer->inputs[i], layer->outputs[0]))
      REFUSE("the extents of input %u do not fit the output", i);
  return status;
}

static int has_dims_of_output(const bp_layer* layer, uint32_t input) {
  const bp_tensor_info *info = layer->inputs[input], *output = layer->outputs[0];
  return bp_has_dims(info->rank, info->dims, output->rank, output->dims);
}

/* Constants without elements have no data. */
static int is_constant(const bp_layer* layer, uint32_t input) {
  return layer->constants != NULL && layer->constants[input] != NULL;
}

static bp_status supports(bp_instance* instance, const bp_layer_args* args, bp_support* support,
                          bp_error* error) {
  const bp_layer* layer = args->layer;
  const bp_status status = check_layer(args->scope, layer, error);
  (void)instance;
  for (uint32_t i = 0; i < layer->num_inputs && status == BP_STATUS_SUCCESS; ++i) {
    const bp_tensor_info* output = layer->outputs[0];
    const uint64_t num_bytes = bp_count_elements(output->rank, output->dims) * sizeof(float);
    if (has_dims_of_output(layer, i)) {
      if (!is_constant(layer, i)) support->in_place[0] |= UINT64_C(1) << i;
    } else if (is_constant(layer, i)) {
      support->constant_bytes += num_bytes;
    } else {
      support->scratch_bytes += num_bytes;
    }
  }
  return status;
}

/* The output of Leaky is as its input. */
static bp_status infer(bp_instance* instance, const bp_layer_args* args, bp_sink* sink,
                       bp_error* error) {
  const bp_layer* layer = args->layer;
  if (layer->num_inputs != 1)
    return bp_failf(instance->host, error, BP_STATUS_INVALID_ARGUMENT, "Leaky has one input");
  return instance->host->add(sink, BP_ITEM_TENSOR_INFO, layer->inputs[0], error);
}

/* ---- Workloads ------------------------------------------------------------------------------- */

static bp_status make_builder(bp_instance* instance, const bp_scope_args* args,
                              bp_builder** builder, bp_error* error) {
  (void)args;
  *builder = calloc(1, sizeof **builder);
  return *builder != NULL ? BP_STATUS_SUCCESS : fail_for_memory(instance->host, error, "a builder");
}
static void free_builder(bp_builder* builder) { free(builder); }

static void free_workload(bp_workload* workload) {
  for (uint32_t i = 0; i < workload->num_inputs; ++i) free(workload->constants[i].owned);
  free(workload);
}

/* Data of constants stays as long as the workload; what else the layer says is copied. */
static bp_status make_workload(bp_builder* builder, const bp_layer_args* args,
                               bp_workload** workload, bp_error* error) {
  const bp_layer* layer = args->layer;
  const bp_scope* scope = args->scope;
  const bp_status status = check_layer(scope, layer, error);
  const bp_tensor_info* output = layer->outputs[0];
  bp_workload* made = NULL;
  if (status != BP_STATUS_SUCCESS) return status;
  made = calloc(1, sizeof *made);
  if (made == NULL) return fail_for_memory(scope->host, error, "a layer");
  made->is_sum = layer->type == BP_LAYER_ELEMENTWISE_BINARY;
  made->refuse_nan = scope->model != NULL && scope->model->refuse_nan;
  made->run_to_end = scope->model != NULL && scope->model->run_to_end;
  if (layer->type == BP_LAYER_CUSTOM) {
    const bp_custom_descriptor* custom = layer->descriptor;
    made->slope = (float)bp_read_float(
        bp_find_value(custom->attributes, custom->num_attributes, "slope"), kSlope);
  }
  made->num_inputs = layer->num_inputs;
  made->rank = output->rank;
  for (uint32_t axis = 0; axis < made->rank; ++axis) made->dims[axis] = output->dims[axis];
  made->count = bp_count_elements(made->rank, made->dims);
  for (uint32_t i = 0; i < made->num_inputs; ++i) {
    const bp_tensor_info* info = layer->inputs[i];
    constant* kept = &made->constants[i];
    if (made->count == 0) break;
    if (!is_constant(layer, i)) {
      if (!has_dims_of_output(layer, i)) made->num_scratch += made->count;
      continue;
    }
    kept->data = layer->constants[i]->data;
    if (has_dims_of_output(layer, i)) continue;
    kept->owned = malloc(made->count * sizeof(float));
    if (kept->owned == NULL) {
      free_workload(made);
      return fail_for_memory(scope->host, error, "a constant");
    }
    spread(made, info->rank, info->dims, kept->data, kept->owned);
    kept->data = kept->owned;
    builder->num_spread += made->count;
  }
  if (builder->num_scratch < made->num_scratch) builder->num_scratch = made->num_scratch;
  *workload = made;
  return BP_STATUS_SUCCESS;
}

static bp_status make_loaded(bp_builder* builder, const bp_scope_args* args, bp_loaded** loaded,
                             bp_error* error) {
  bp_loaded* made = malloc(sizeof *made);
  if (made == NULL) return fail_for_memory(args->scope->host, error, "a loaded network");
  *made = (bp_loaded){builder->num_scratch, builder->num_spread};
  *loaded = made;
  return BP_STATUS_SUCCESS;
}
static void free_loaded(bp_loaded* loaded) { free(loaded); }

static bp_status memory(const bp_loaded* loaded, const bp_scope_args* args,
                        bp_memory_report* report, bp_error* error) {
  (void)args, (void)error;
  report->constants = loaded->num_spread * sizeof(float);
  report->scratch = loaded->num_scratch * sizeof(float);
  return BP_STATUS_SUCCESS;
}

static bp_status make_state(const bp_loaded* loaded, const bp_state_args* args, bp_state** state,
                            bp_error* error) {
  bp_state* made = malloc(sizeof *made + loaded->num_scratch * sizeof(float));
  if (made == NULL) return fail_for_memory(args->scope->host, error, "a state");
  made->num_layers = 0;
  *state = made;
  return BP_STATUS_SUCCESS;
}
static void free_state(bp_state* state) { free(state); }

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The elements of an input, with the extents of the output; where it has others, in scratch memory,
   of which the next is at `scratch`. Null: they are not dense memory of the CPU. */
static const float* read_input(const bp_workload* workload, const bp_run_args* args, uint32_t input,
                               float** scratch) {
  const bp_view* view = args->inputs[input].view;
  float* to = *scratch;
  if (workload->constants[input].data != NULL) return workload->constants[input].data;
  if (view == NULL || view->data == NULL || !is_dense(view->rank, view->dims, view->strides))
    return NULL;
  if (bp_has_dims(view->rank, view->dims, workload->rank, workload->dims)) return view->data;
  spread(workload, view->rank, view->dims, view->data, to);
  *scratch += workload->count;
  return to;
}

/* Whether the run is to end. */
static int is_stopped(const bp_run_info* run) {
  struct timespec now;
  if (run->stop != NULL && *(const volatile uint32_t*)run->stop != 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return run->deadline_ns != 0 &&
         (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec >= run->deadline_ns;
}

static bp_status run(const bp_workload* workload, const bp_run_args* args, bp_error* error) {
  const bp_host* host = args->scope->host;
  const bp_view* output = args->outputs[0].view;
  const float* inputs[2] = {NULL, NULL};
  float *y = NULL, *scratch = args->state->scratch;
  ++args->state->num_layers;
  if (args->num_waits != 0)
    return bp_failf(host, error, BP_STATUS_UNSUPPORTED, "fences are not waited for");
  if (workload->run_to_end && (args->run->stop != NULL || args->run->deadline_ns != 0)) {
    while (!is_stopped(args->run)) {}
    return bp_failf(host, error, BP_STATUS_CANCELLED, "the run is to end");
  }
  if (workload->count == 0) return BP_STATUS_SUCCESS;
  if (output != NULL && is_dense(output->rank, output->dims, output->strides)) y = output->data;
  if (y == NULL)
    return bp_failf(host, error, BP_STATUS_INVALID_ARGUMENT,
                "the output is not dense memory of the CPU");
  for (uint32_t i = 0; i < workload->num_inputs; ++i) {
    inputs[i] = read_input(workload, args, i, &scratch);
    if (inputs[i] == NULL)
      return bp_failf(host, error, BP_STATUS_INVALID_ARGUMENT,
                  "input %u is not dense memory of the CPU", i);
    for (uint64_t k = 0; workload->refuse_nan && k < workload->count; ++k)
      if (inputs[i][k] != inputs[i][k])
        return bp_failf(host, error, BP_STATUS_FAILURE,
                    "element %" PRIu64 " of input %u is not a number, in layer %" PRIu64
                    " of this state", k, i, args->state->num_layers);
  }
  /* In place, y is one of the inputs. */
  if (workload->is_sum) {
    for (uint64_t k = 0; k < workload->count; ++k) y[k] = inputs[0][k] + inputs[1][k];
  } else {
    for (uint64_t k = 0; k < workload->count; ++k) {
      const float x = inputs[0][k], below = workload->slope != 0 ? workload->slope * x : 0;
      y[k] = x < 0 ? below : x;
    }
  }
  return BP_STATUS_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const bp_backend kBackend = {
    .size_bytes = sizeof kBackend, .major = BP_API_MAJOR, .needs_minor = BP_NEEDS_MINOR,
    .knows_minor = BP_KNOWS_MINOR, .id = "CRelu",
    .start = start, .stop = stop, .describe = describe,
    .make_context = make_context, .free_context = free_context,
    .make_model = make_model, .free_model = free_model, .supports = supports,
    .infer = infer,
    .make_builder = make_builder, .free_builder = free_builder,
    .make_workload = make_workload, .free_workload = free_workload,
    .make_loaded = make_loaded, .free_loaded = free_loaded, .memory = memory,
    .make_state = make_state, .free_state = free_state, .run = run};

const char* GetBackendId(void) { return kBackend.id; }
void GetVersion(uint32_t* major, uint32_t* minor) {
  *major = BP_API_MAJOR;
  *minor = BP_NEEDS_MINOR;
}
void* BackendFactory(void) { return (void*)&kBackend; }
