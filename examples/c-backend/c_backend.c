/* A whole backend in C11: ReLU, the sum of two tensors and an operator of its own, of float32. All
   connected layers are compiled into one, which reads and writes memory once. To begin one of your
   own, copy this folder, rename it, and put your kernels into `compute`.

   The backend has no variables: what it keeps lies in the objects that the host asks it to make. */
#include <backplane/c/helpers.h>

#include <stdlib.h>

#define BLOCK 64 /* elements that are computed at a time */

enum { OPERATION_LEAKY, OPERATION_ADD }; /* ReLU is Leaky with a slope of 0 */

/* Operands are numbers of values: of inputs first, then of the results of instructions. */
typedef struct instruction { uint32_t operation, a, b; float slope; } instruction;
typedef struct program {
  uint32_t num_inputs, num_outputs, num_instructions;
  instruction* instructions;
  uint32_t* outputs; /* the value that each output is */
} program;

struct bp_instance { const bp_host* host; };
struct bp_model { int is_fusing; };
struct bp_compiled { program program; };
struct bp_builder { uint32_t max_values; };
struct bp_loaded { uint32_t max_values; }; /* of the largest program */
struct bp_workload { program program; uint64_t num_elements; };
/* Changed by one run at a time: where each value is, and room for a block of each. */
struct bp_state { const float** values; float* results; };

/* ---- Programs -------------------------------------------------------------------------------- */

static void clear(program* made) {
  free(made->instructions);
  free(made->outputs);
}

/* False: there is no memory, and nothing to clear. */
static int reserve(program* made, uint32_t num_inputs, uint32_t num_instructions,
                   uint32_t num_outputs) {
  *made = (program){.num_inputs = num_inputs, .num_outputs = num_outputs};
  made->instructions = calloc(num_instructions, sizeof *made->instructions);
  made->outputs = calloc(num_outputs, sizeof *made->outputs);
  if (made->instructions != NULL && made->outputs != NULL) return 1;
  clear(made);
  return 0;
}

/* False as above. */
static int copy(program* made, const program* from) {
  if (!reserve(made, from->num_inputs, from->num_instructions, from->num_outputs)) return 0;
  made->num_instructions = from->num_instructions;
  memcpy(made->instructions, from->instructions,
         from->num_instructions * sizeof *from->instructions);
  memcpy(made->outputs, from->outputs, from->num_outputs * sizeof *from->outputs);
  return 1;
}

/* Adds the instruction of a layer; returns the number of its result. */
static uint32_t emit(program* made, const bp_layer* layer, uint32_t a, uint32_t b) {
  instruction* added = &made->instructions[made->num_instructions];
  *added = (instruction){.operation = OPERATION_LEAKY, .a = a, .b = b};
  if (layer->type == BP_LAYER_ELEMENTWISE_BINARY) added->operation = OPERATION_ADD;
  if (layer->type == BP_LAYER_CUSTOM) {
    const bp_custom_descriptor* leaky = layer->descriptor;
    added->slope = (float)bp_read_float(
        bp_find_value(leaky->attributes, leaky->num_attributes, "slope"), 0.01);
  }
  return made->num_inputs + made->num_instructions++;
}

static void compute(const instruction* step, const float* a, const float* b, float* result,
                    uint64_t count) {
  if (step->operation == OPERATION_ADD) {
    for (uint64_t i = 0; i < count; ++i) result[i] = a[i] + b[i];
  } else if (step->slope != 0) {
    for (uint64_t i = 0; i < count; ++i) result[i] = a[i] < 0 ? step->slope * a[i] : a[i];
  } else {
    for (uint64_t i = 0; i < count; ++i) result[i] = a[i] < 0 ? 0 : a[i];
  }
}

/* ---- What the backend says of itself --------------------------------------------------------- */

static bp_status start(const bp_start_args* args, bp_instance** instance, bp_error* error) {
  *instance = malloc(sizeof **instance);
  if (*instance == NULL)
    return bp_fail(args->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for an instance");
  (*instance)->host = args->host;
  return BP_STATUS_SUCCESS;
}
static void stop(bp_instance* instance) { free(instance); }

static const int64_t kRank = 10, kYes = 1;
static const double kSmallSlope = 0.01;
static const bp_named_value kCapabilities[] = {
    {BP_CAPABILITY_RANK, {BP_VALUE_INT, 0, 1, &kRank}},
    {BP_CAPABILITY_IN_PLACE, {BP_VALUE_BOOL, 0, 1, &kYes}}};
static const bp_value kOn = {BP_VALUE_BOOL, 0, 1, &kYes};
static const bp_option_schema kFuse = {
    .size_bytes = sizeof kFuse, .flags = BP_OPTION_OF_NETWORK, .name = "fuse",
    .text = "Whether connected layers become one.", .initial = &kOn};

static const uint32_t kFloat32[] = {BP_DATA_TYPE_FLOAT32};
static const bp_value kSlope = {BP_VALUE_FLOAT, 0, 1, &kSmallSlope};
static const bp_option_schema kSlopeSchema = {
    .size_bytes = sizeof kSlopeSchema, .name = "slope",
    .text = "What numbers below 0 are multiplied with.", .initial = &kSlope};
static const bp_option_schema* const kAttributes[] = {&kSlopeSchema};
static const bp_operator_slot kX = {
    .size_bytes = sizeof kX, .name = "x", .data_types = kFloat32, .num_data_types = 1};
static const bp_operator_slot* const kSlots[] = {&kX};
static const bp_operator kLeaky = {
    .size_bytes = sizeof kLeaky, .domain = "example", .type = "Leaky",
    .text = "Numbers below 0 times a slope.", .version_from = 1, .version_to = 2,
    .inputs = kSlots, .outputs = kSlots, .num_inputs = 1, .num_outputs = 1,
    .min_inputs = 1, .max_inputs = 1, .min_outputs = 1, .max_outputs = 1,
    .attributes = kAttributes, .num_attributes = 1};

/* A case that check-backend holds the operator against. */
static const int64_t kTwo[] = {2};
static const bp_tensor_info kPair = {.size_bytes = sizeof kPair,
                                     .data_type = BP_DATA_TYPE_FLOAT32, .rank = 1, .dims = kTwo};
static const float kBelowAndAbove[] = {-2, 3}, kHalved[] = {-1, 3};
static const bp_constant kInput = {.size_bytes = sizeof kInput, .info = &kPair,
                                   .data = kBelowAndAbove, .num_bytes = sizeof kBelowAndAbove};
static const bp_constant kOutput = {.size_bytes = sizeof kOutput, .info = &kPair,
                                    .data = kHalved, .num_bytes = sizeof kHalved};
static const bp_constant *const kInputs[] = {&kInput}, *const kOutputs[] = {&kOutput};
static const double kHalf = 0.5;
static const bp_named_value kHalfSlope[] = {{"slope", {BP_VALUE_FLOAT, 0, 1, &kHalf}}};
static const bp_custom_descriptor kHalving = {.size_bytes = sizeof kHalving, .version = 1,
                                              .domain = "example", .type = "Leaky",
                                              .attributes = kHalfSlope, .num_attributes = 1};
static const bp_operator_case kCase = {
    .size_bytes = sizeof kCase, .name = "half of what is below 0", .layer = &kHalving,
    .inputs = kInputs, .outputs = kOutputs, .num_inputs = 1, .num_outputs = 1};

static bp_status describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                          bp_error* error) {
  const bp_host* host = instance->host;
  if (args->item == BP_ITEM_CAPABILITY) {
    const bp_status status = host->add(sink, BP_ITEM_CAPABILITY, &kCapabilities[0], error);
    if (status != BP_STATUS_SUCCESS) return status;
    return host->add(sink, BP_ITEM_CAPABILITY, &kCapabilities[1], error);
  }
  if (args->item == BP_ITEM_OPTION) return host->add(sink, BP_ITEM_OPTION, &kFuse, error);
  if (args->item == BP_ITEM_OPERATOR) return host->add(sink, BP_ITEM_OPERATOR, &kLeaky, error);
  if (args->item == BP_ITEM_OPERATOR_CASE)
    return host->add(sink, BP_ITEM_OPERATOR_CASE, &kCase, error);
  return BP_STATUS_SUCCESS;
}

/* The options of one network, read once. The host has checked them. */
static bp_status make_model(bp_instance* instance, const bp_scope_args* args, bp_model** model,
                            bp_error* error) {
  const bp_scope* scope = args->scope;
  *model = malloc(sizeof **model);
  if (*model == NULL)
    return bp_fail(instance->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for a network");
  (*model)->is_fusing =
      bp_read_int(bp_find_value(scope->options, scope->num_options, "fuse"), 1) != 0;
  return BP_STATUS_SUCCESS;
}
static void free_model(bp_model* model) { free(model); }

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Success, or why a layer cannot run here. */
static bp_status check_operator(const bp_host* host, const bp_layer* layer, bp_error* error) {
  if (layer->type == BP_LAYER_ACTIVATION) {
    const bp_activation_descriptor* descriptor = layer->descriptor;
    if (descriptor->function == BP_ACTIVATION_FUNCTION_RELU) return BP_STATUS_SUCCESS;
    return bp_failf(host, error, BP_STATUS_UNSUPPORTED,
                    "activation function %u is not supported, only Relu (1)", descriptor->function);
  }
  if (layer->type == BP_LAYER_ELEMENTWISE_BINARY) {
    const bp_elementwise_binary_descriptor* descriptor = layer->descriptor;
    if (descriptor->operation == BP_BINARY_OPERATION_ADD) return BP_STATUS_SUCCESS;
    return bp_failf(host, error, BP_STATUS_UNSUPPORTED,
                    "operation %u is not supported, only Add (1)", descriptor->operation);
  }
  /* The host asks about declared operators alone, with the inputs and attributes declared. */
  if (layer->type == BP_LAYER_CUSTOM) return BP_STATUS_SUCCESS;
  return bp_failf(host, error, BP_STATUS_UNSUPPORTED,
                  "layer type %u is not supported, only Activation (16), ElementwiseBinary (20) "
                  "and example/Leaky", layer->type);
}

static bp_status supports(bp_instance* instance, const bp_layer_args* args, bp_support* support,
                          bp_error* error) {
  const bp_host* host = instance->host;
  const bp_layer* layer = args->layer;
  const bp_tensor_info* output = layer->outputs[0];
  const bp_status status = check_operator(host, layer, error);
  if (status != BP_STATUS_SUCCESS) return status;
  for (uint32_t i = 0; i < layer->num_inputs; ++i) {
    const bp_tensor_info* input = layer->inputs[i];
    if (input->data_type != BP_DATA_TYPE_FLOAT32)
      return bp_failf(host, error, BP_STATUS_UNSUPPORTED,
                      "data type %u is not supported, only float32 (1)", input->data_type);
    if (!bp_has_dims(input->rank, input->dims, output->rank, output->dims))
      return bp_fail(host, error, BP_STATUS_UNSUPPORTED,
                     "the inputs have different shapes, but broadcasting is not supported");
    support->in_place[0] |= UINT64_C(1) << i;
  }
  return BP_STATUS_SUCCESS;
}

/* The output of Leaky is as its input, also when extents are open. */
static bp_status infer(bp_instance* instance, const bp_layer_args* args, bp_sink* sink,
                       bp_error* error) {
  return instance->host->add(sink, BP_ITEM_TENSOR_INFO, args->layer->inputs[0], error);
}

/* ---- Compiling ------------------------------------------------------------------------------- */

static int is_same_slot(bp_slot a, bp_slot b) { return a.layer == b.layer && a.index == b.index; }

/* The number of the value that a slot is. Slots from outside become inputs, in the order in which
   they are met; `inputs` has room for all. Numbers of results are counted from the end of inputs. */
typedef struct compiler {
  const bp_optimize_args* args;
  program* made;
  bp_slot* inputs;
} compiler;

static uint32_t find_value(compiler* self, bp_slot slot) {
  for (uint32_t i = 0; i < self->args->num_layers; ++i)
    if (self->args->layers[i]->id == slot.layer) return self->made->num_inputs + i;
  for (uint32_t i = 0; i < self->made->num_inputs; ++i)
    if (is_same_slot(self->inputs[i], slot)) return i;
  return UINT32_MAX;
}

/* Lists what enters: constants, too, which do not count as inputs of the part. */
static uint32_t list_inputs(const bp_optimize_args* args, bp_slot* inputs) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < args->num_layers; ++i) {
    const bp_layer* layer = args->layers[i];
    for (uint32_t k = 0; k < layer->num_inputs; ++k) {
      int is_known = 0;
      for (uint32_t n = 0; n < args->num_layers; ++n)
        is_known |= args->layers[n]->id == layer->slots[k].layer;
      for (uint32_t n = 0; n < count; ++n) is_known |= is_same_slot(inputs[n], layer->slots[k]);
      if (!is_known) inputs[count++] = layer->slots[k];
    }
  }
  return count;
}

/* Puts one PreCompiled layer in the place of all. The host owns `compiled` when that has worked. */
static bp_status replace(const bp_optimize_args* args, const bp_slot* inputs,
                         bp_compiled* compiled, bp_error* error) {
  const bp_host* host = args->scope->host;
  const bp_part* part = args->part;
  const bp_tensor_info** infos = calloc(part->num_outputs, sizeof *infos);
  bp_slot* outputs = calloc(part->num_outputs, sizeof *outputs);
  bp_status status = BP_STATUS_OUT_OF_MEMORY;
  uint32_t id = 0;
  bp_layer layer = {.size_bytes = sizeof layer, .type = BP_LAYER_PRE_COMPILED, .name = "fused",
                    .outputs = infos, .num_inputs = compiled->program.num_inputs,
                    .num_outputs = part->num_outputs, .slots = inputs, .compiled = compiled};
  bp_part by = {.size_bytes = sizeof by, .num_layers = 1, .layers = &id, .inputs = part->inputs,
                .outputs = outputs, .num_inputs = part->num_inputs,
                .num_outputs = part->num_outputs};
  bp_answer answer = {.size_bytes = sizeof answer, .kind = BP_PART_REPLACED, .part = part,
                      .replacement = &by};
  if (infos != NULL && outputs != NULL) {
    for (uint32_t i = 0; i < part->num_outputs; ++i) infos[i] = args->layers[0]->outputs[0];
    status = host->add_layer(args->offer, &layer, &id, error);
  }
  if (status != BP_STATUS_SUCCESS) {
    clear(&compiled->program);
    free(compiled);
  } else {
    for (uint32_t i = 0; i < part->num_outputs; ++i) outputs[i] = (bp_slot){id, i};
    status = host->answer(args->offer, &answer, error);
  }
  free(infos);
  free(outputs);
  return status;
}

static void translate(compiler* self) {
  const bp_optimize_args* args = self->args;
  for (uint32_t i = 0; i < args->num_layers; ++i) {
    const bp_slot* slots = args->layers[i]->slots;
    emit(self->made, args->layers[i], find_value(self, slots[0]),
         find_value(self, slots[args->layers[i]->num_inputs - 1]));
  }
  for (uint32_t i = 0; i < args->part->num_outputs; ++i)
    self->made->outputs[i] = find_value(self, args->part->outputs[i]);
}

/* Leaves a part alone whose layers have several shapes, as that of two unconnected ones may. */
static int has_one_shape(const bp_optimize_args* args) {
  const bp_tensor_info* first = args->layers[0]->outputs[0];
  for (uint32_t i = 1; i < args->num_layers; ++i) {
    const bp_tensor_info* info = args->layers[i]->outputs[0];
    if (!bp_has_dims(info->rank, info->dims, first->rank, first->dims)) return 0;
  }
  return 1;
}

static bp_status optimize(bp_instance* instance, const bp_optimize_args* args, bp_error* error) {
  const bp_host* host = instance->host;
  bp_answer untouched = {.size_bytes = sizeof untouched, .kind = BP_PART_UNTOUCHED,
                         .part = args->part};
  bp_slot* inputs = NULL;
  bp_compiled* compiled = NULL;
  bp_status status = BP_STATUS_OUT_OF_MEMORY;
  if (!args->scope->model->is_fusing || args->num_layers < 2 || !has_one_shape(args))
    return host->answer(args->offer, &untouched, error);
  inputs = calloc(2 * (size_t)args->num_layers, sizeof *inputs); /* no layer has more than two */
  compiled = malloc(sizeof *compiled);
  if (inputs != NULL && compiled != NULL &&
      reserve(&compiled->program, list_inputs(args, inputs), args->num_layers,
              args->part->num_outputs)) {
    compiler self = {args, &compiled->program, inputs};
    translate(&self);
    status = replace(args, inputs, compiled, error);
  } else {
    free(compiled);
  }
  free(inputs);
  if (status == BP_STATUS_OUT_OF_MEMORY)
    return bp_fail(host, error, status, "no memory to compile a sub-graph");
  return status;
}
static void free_compiled(bp_compiled* compiled) {
  clear(&compiled->program);
  free(compiled);
}

/* ---- Workloads ------------------------------------------------------------------------------- */

static bp_status make_builder(bp_instance* instance, const bp_scope_args* args,
                              bp_builder** builder, bp_error* error) {
  (void)args;
  *builder = calloc(1, sizeof **builder);
  if (*builder != NULL) return BP_STATUS_SUCCESS;
  return bp_fail(instance->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for a builder");
}
static void free_builder(bp_builder* builder) { free(builder); }

/* Copies what it needs: a compiled sub-graph may go before its workloads. */
static bp_status make_workload(bp_builder* builder, const bp_layer_args* args,
                               bp_workload** workload, bp_error* error) {
  const bp_layer* layer = args->layer;
  const bp_tensor_info* output = layer->outputs[0];
  bp_workload* made = malloc(sizeof *made);
  uint32_t num_values = 0;
  int is_made = 0;
  if (made != NULL && layer->type == BP_LAYER_PRE_COMPILED) {
    is_made = copy(&made->program, &layer->compiled->program);
  } else if (made != NULL) {
    is_made = reserve(&made->program, layer->num_inputs, 1, 1);
    if (is_made) made->program.outputs[0] = emit(&made->program, layer, 0, layer->num_inputs - 1);
  }
  if (!is_made) {
    free(made);
    return bp_fail(args->scope->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for a layer");
  }
  made->num_elements = bp_count_elements(output->rank, output->dims);
  num_values = made->program.num_inputs + made->program.num_instructions;
  if (builder->max_values < num_values) builder->max_values = num_values;
  *workload = made;
  return BP_STATUS_SUCCESS;
}
static void free_workload(bp_workload* workload) {
  clear(&workload->program);
  free(workload);
}

static bp_status make_loaded(bp_builder* builder, const bp_scope_args* args, bp_loaded** loaded,
                             bp_error* error) {
  *loaded = malloc(sizeof **loaded);
  if (*loaded == NULL)
    return bp_fail(args->scope->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for a network");
  (*loaded)->max_values = builder->max_values;
  return BP_STATUS_SUCCESS;
}
static void free_loaded(bp_loaded* loaded) { free(loaded); }

static void free_state(bp_state* state) {
  free(state->values);
  free(state->results);
  free(state);
}
static bp_status make_state(const bp_loaded* loaded, const bp_state_args* args, bp_state** state,
                            bp_error* error) {
  bp_state* made = malloc(sizeof *made);
  if (made != NULL) {
    made->values = calloc(loaded->max_values, sizeof *made->values);
    made->results = calloc((size_t)loaded->max_values * BLOCK, sizeof *made->results);
    *state = made;
    if (made->values != NULL && made->results != NULL) return BP_STATUS_SUCCESS;
    free_state(made);
  }
  return bp_fail(args->scope->host, error, BP_STATUS_OUT_OF_MEMORY, "no memory for a state");
}

/* Computes elements from `first` on. All inputs of a block are read before an output is written, so
   that an output may lie where an input lies. */
static void run_block(const program* steps, const bp_run_args* args, uint64_t first,
                      uint64_t count) {
  const float** values = args->state->values;
  for (uint32_t i = 0; i < steps->num_inputs; ++i)
    values[i] = (const float*)bp_get_dense(&args->inputs[i], sizeof(float)) + first;
  for (uint32_t i = 0; i < steps->num_instructions; ++i) {
    const instruction* step = &steps->instructions[i];
    float* result = args->state->results + (size_t)i * BLOCK;
    compute(step, values[step->a], values[step->b], result, count);
    values[steps->num_inputs + i] = result;
  }
  for (uint32_t i = 0; i < steps->num_outputs; ++i) {
    float* output = (float*)bp_get_dense(&args->outputs[i], sizeof(float)) + first;
    memcpy(output, values[steps->outputs[i]], count * sizeof(float));
  }
}

static bp_status run(const bp_workload* workload, const bp_run_args* args, bp_error* error) {
  const bp_host* host = args->scope->host;
  const uint64_t num_elements = workload->num_elements;
  if (args->num_waits != 0)
    return bp_fail(host, error, BP_STATUS_UNSUPPORTED, "fences are not waited for");
  if (num_elements == 0) return BP_STATUS_SUCCESS;
  for (uint32_t i = 0; i < args->num_inputs + args->num_outputs; ++i) {
    const bp_tensor* tensor =
        i < args->num_inputs ? &args->inputs[i] : &args->outputs[i - args->num_inputs];
    if (bp_get_dense(tensor, sizeof(float)) == NULL)
      return bp_fail(host, error, BP_STATUS_INVALID_ARGUMENT,
                     "a tensor is not dense memory of the CPU");
  }
  for (uint64_t first = 0; first < num_elements; first += BLOCK)
    run_block(&workload->program, args, first,
              num_elements - first < BLOCK ? num_elements - first : BLOCK);
  return BP_STATUS_SUCCESS;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const bp_backend kBackend = {
    .size_bytes = sizeof kBackend, .major = BP_API_MAJOR, .needs_minor = BP_NEEDS_MINOR,
    .knows_minor = BP_KNOWS_MINOR, .id = "ExampleC",
    .start = start, .stop = stop, .describe = describe,
    .make_model = make_model, .free_model = free_model, .supports = supports, .infer = infer,
    .optimize = optimize, .free_compiled = free_compiled,
    .make_builder = make_builder, .free_builder = free_builder,
    .make_workload = make_workload, .free_workload = free_workload,
    .make_loaded = make_loaded, .free_loaded = free_loaded,
    .make_state = make_state, .free_state = free_state, .run = run};

BP_BACKEND(kBackend);
