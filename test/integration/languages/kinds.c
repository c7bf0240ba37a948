/* A backend in C11 with a kind of tensor memory of its own: ReLU, and the sum of two tensors, of
   float32, on tensors whose rows begin at multiples of 64 bytes. It has no variables. */
#include <backplane/c/backend.h>

#include <stdlib.h>
#include <string.h>

#define MAX_RANK 8
#define ROW_ALIGNMENT 64

struct bp_kind { const bp_host* host; };
struct bp_instance { const bp_host* host; bp_kind rows; }; /* the kind stays as long */
struct bp_builder { int unused; };
struct bp_loaded { int unused; };
struct bp_workload { int is_sum; };

struct bp_handle {
  bp_handle* parent;               /* null: a whole tensor */
  int64_t origin[MAX_RANK];        /* in the parent */
  bp_view view;                    /* without an address until it is bound */
  void* bound;                     /* in the block; null: nowhere */
  int64_t dims[MAX_RANK];
  int64_t strides[MAX_RANK];       /* as the kind lays the tensor out */
  int64_t taken_strides[MAX_RANK]; /* of imported memory */
  bp_view taken;                   /* its data is null: nothing is imported */
  int is_mapped;
};

/* ---- Failures -------------------------------------------------------------------------------- */

static bp_status refuse(const bp_scope* scope, bp_error* error, const char* text) {
  return bp_fail(scope->host, error, BP_STATUS_UNSUPPORTED, text);
}

static bp_status fail_for_argument(const bp_scope* scope, bp_error* error, const char* text) {
  return bp_fail(scope->host, error, BP_STATUS_INVALID_ARGUMENT, text);
}

static bp_status fail_for_memory(const bp_host* host, bp_error* error) {
  return bp_fail(host, error, BP_STATUS_OUT_OF_MEMORY, "there is no memory left");
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Bytes of one element. 0: the type is not known. */
static int64_t element_bytes(uint32_t data_type) {
  switch (data_type) {
    case BP_DATA_TYPE_FLOAT64:
    case BP_DATA_TYPE_INT64:
    case BP_DATA_TYPE_U_INT64:
      return 8;
    case BP_DATA_TYPE_FLOAT32:
    case BP_DATA_TYPE_INT32:
    case BP_DATA_TYPE_U_INT32:
      return 4;
    case BP_DATA_TYPE_FLOAT16:
    case BP_DATA_TYPE_B_FLOAT16:
    case BP_DATA_TYPE_INT16:
    case BP_DATA_TYPE_U_INT16:
      return 2;
    default:
      return data_type != BP_DATA_TYPE_UNDEFINED && data_type <= BP_DATA_TYPE_U_INT2 ? 1 : 0;
  }
}

/* Sets the strides of a whole tensor and returns its bytes. */
static uint64_t lay_out(const bp_tensor_info* info, int64_t* strides) {
  int64_t stride = element_bytes(info->data_type);
  int64_t num_bytes = stride;
  for (uint32_t axis = info->rank; axis-- > 0;) {
    strides[axis] = stride;
    num_bytes *= info->dims[axis];
    stride *= info->dims[axis] > 0 ? info->dims[axis] : 1;
    if (axis + 1 != info->rank) continue;
    stride = (stride + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    if (num_bytes > 0) num_bytes = stride;
  }
  return (uint64_t)num_bytes;
}

/* From the first byte to behind the last one. */
static uint64_t count_bytes(uint32_t data_type, uint32_t rank, const int64_t* dims,
                            const int64_t* strides) {
  int64_t last = 0;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (dims[axis] == 0) return 0;
    last += (dims[axis] - 1) * strides[axis];
  }
  return (uint64_t)(last + element_bytes(data_type));
}

/* ---- The kind -------------------------------------------------------------------------------- */

static bp_status check_info(const bp_handle_args* args, bp_error* error) {
  if (args->info->rank > MAX_RANK || element_bytes(args->info->data_type) == 0)
    return refuse(args->scope, error, "tensors have a known data type and a rank up to 8");
  return BP_STATUS_SUCCESS;
}

static bp_status requirements(bp_kind* kind, const bp_handle_args* args, bp_requirements* answer,
                              bp_error* error) {
  int64_t strides[MAX_RANK];
  const bp_status status = check_info(args, error);
  (void)kind;
  if (status != BP_STATUS_SUCCESS) return status;
  answer->num_bytes = lay_out(args->info, strides);
  answer->alignment = ROW_ALIGNMENT;
  return BP_STATUS_SUCCESS;
}

static bp_status allocate(bp_kind* kind, const bp_requirements* wanted, bp_view* block,
                          bp_error* error) {
  const uint64_t alignment =
      wanted->alignment > ROW_ALIGNMENT ? wanted->alignment : ROW_ALIGNMENT;
  const uint64_t num_bytes = (wanted->num_bytes + alignment - 1) / alignment * alignment;
  if (wanted->num_bytes <= UINT64_MAX - alignment)
    block->data = aligned_alloc(alignment, num_bytes > 0 ? num_bytes : alignment);
  if (block->data == NULL) return fail_for_memory(kind->host, error);
  block->access = BP_ACCESS_READ_WRITE;
  block->source = BP_MEMORY_CPU;
  block->num_bytes = wanted->num_bytes;
  block->alignment = alignment;
  return BP_STATUS_SUCCESS;
}

static void free_block(bp_kind* kind, const bp_view* block) {
  (void)kind;
  free(block->data);
}

static bp_status make_handle(bp_kind* kind, const bp_handle_args* args, bp_handle** handle,
                             bp_error* error) {
  const bp_tensor_info* info = args->info;
  const bp_status status = check_info(args, error);
  bp_handle* made = NULL;
  if (status != BP_STATUS_SUCCESS) return status;
  made = calloc(1, sizeof *made);
  if (made == NULL) return fail_for_memory(kind->host, error);
  made->parent = args->parent;
  made->view.data_type = info->data_type;
  made->view.rank = info->rank;
  made->view.access = BP_ACCESS_READ_WRITE;
  made->view.source = BP_MEMORY_CPU;
  made->view.num_bytes = lay_out(info, made->strides);
  made->view.alignment = ROW_ALIGNMENT;
  for (uint32_t axis = 0; axis < info->rank; ++axis) {
    made->dims[axis] = info->dims[axis];
    if (args->parent != NULL) made->origin[axis] = args->origin[axis];
  }
  *handle = made;
  return BP_STATUS_SUCCESS;
}
static void free_handle(bp_handle* handle) { free(handle); }

/* Where a tensor lies now: where it was bound, in imported memory, or in its parent. A null address
   stands for nowhere. */
static bp_view locate(const bp_handle* handle) {
  bp_view view = handle->view;
  view.dims = handle->dims;
  view.strides = handle->strides;
  if (handle->parent != NULL) {
    const bp_view whole = locate(handle->parent);
    view.data = whole.data;
    view.access = whole.access;
    view.strides = whole.strides;
    for (uint32_t axis = 0; axis < view.rank && whole.data != NULL; ++axis)
      view.data = (char*)view.data + handle->origin[axis] * whole.strides[axis];
    view.num_bytes = count_bytes(view.data_type, view.rank, view.dims, view.strides);
    view.alignment = (uint64_t)element_bytes(view.data_type);
  } else if (handle->taken.data != NULL) {
    view.data = handle->taken.data;
    view.access = handle->taken.access;
    view.strides = handle->taken_strides;
    view.num_bytes = handle->taken.num_bytes;
    view.alignment = handle->taken.alignment;
  } else {
    view.data = handle->bound;
  }
  return view;
}

static bp_status bind_block(bp_handle* handle, const bp_bind_args* args, bp_error* error) {
  const bp_view* block = args->memory;
  if (block->data == NULL || args->offset > block->num_bytes ||
      handle->view.num_bytes > block->num_bytes - args->offset)
    return fail_for_argument(args->scope, error, "the tensor does not fit the block");
  if (((uintptr_t)block->data + args->offset) % ROW_ALIGNMENT != 0)
    return fail_for_argument(args->scope, error, "the place is not aligned to 64 bytes");
  handle->bound = (char*)block->data + args->offset;
  return BP_STATUS_SUCCESS;
}

static bp_status import(bp_handle* handle, const bp_bind_args* args, bp_error* error) {
  const bp_view* memory = args->memory;
  int64_t strides[MAX_RANK];
  const int64_t element = element_bytes(handle->view.data_type);
  int64_t stride = element;
  uint64_t wanted = 0;
  if (memory->source != BP_MEMORY_CPU)
    return refuse(args->scope, error, "only memory of the CPU is imported");
  for (uint32_t axis = handle->view.rank; axis-- > 0; stride *= handle->dims[axis]) {
    strides[axis] = memory->strides != NULL ? memory->strides[axis] : stride;
    if (strides[axis] < 0 || strides[axis] % element != 0)
      return fail_for_argument(args->scope, error, "a stride does not fit the elements");
  }
  wanted = count_bytes(handle->view.data_type, handle->view.rank, handle->dims, strides);
  if (memory->data == NULL || (uintptr_t)memory->data % (uintptr_t)element != 0 ||
      memory->num_bytes < wanted)
    return fail_for_argument(args->scope, error, "the tensor does not fit the memory");
  memcpy(handle->taken_strides, strides, handle->view.rank * sizeof *strides);
  handle->taken.data = memory->data;
  handle->taken.access = memory->access;
  handle->taken.num_bytes = memory->num_bytes;
  handle->taken.alignment = memory->alignment;
  return BP_STATUS_SUCCESS;
}

static bp_status bind(bp_handle* handle, const bp_bind_args* args, bp_error* error) {
  if (handle->parent != NULL || handle->is_mapped)
    return fail_for_argument(args->scope, error, "parts and mapped tensors are not bound");
  if (args->action == BP_BIND_BLOCK) return bind_block(handle, args, error);
  if (args->action == BP_BIND_IMPORT) return import(handle, args, error);
  if (args->action != BP_BIND_END_IMPORT)
    return refuse(args->scope, error, "this action is not known");
  if (handle->taken.data == NULL)
    return fail_for_argument(args->scope, error, "nothing is imported");
  handle->taken.data = NULL;
  return BP_STATUS_SUCCESS;
}

/* Fills what the host has room for. */
static bp_status show(const bp_handle* handle, const bp_view_args* args, bp_view* view,
                      bp_error* error) {
  const uint32_t size_bytes = view->size_bytes;
  const bp_view found = locate(handle);
  if (found.data == NULL)
    return fail_for_argument(args->scope, error, "the tensor is not bound");
  memcpy(view, &found, size_bytes < sizeof found ? size_bytes : sizeof found);
  view->size_bytes = size_bytes;
  return BP_STATUS_SUCCESS;
}

static bp_status get_view(bp_handle* handle, const bp_view_args* args, bp_view* view,
                          bp_error* error) {
  if (args->source != 0 && args->source != BP_MEMORY_CPU)
    return refuse(args->scope, error, "tensors are exported as memory of the CPU");
  return show(handle, args, view, error);
}

static bp_status map(bp_handle* handle, const bp_view_args* args, bp_view* view, bp_error* error) {
  bp_status status = BP_STATUS_SUCCESS;
  if (handle->is_mapped)
    return fail_for_argument(args->scope, error, "the tensor is mapped");
  status = show(handle, args, view, error);
  if (status != BP_STATUS_SUCCESS) return status;
  view->access = args->access;
  handle->is_mapped = 1;
  return BP_STATUS_SUCCESS;
}

static bp_status unmap(bp_handle* handle, const bp_view_args* args, bp_error* error) {
  if (!handle->is_mapped)
    return fail_for_argument(args->scope, error, "the tensor is not mapped");
  handle->is_mapped = 0;
  return BP_STATUS_SUCCESS;
}

/* ---- The backend ----------------------------------------------------------------------------- */

static bp_status start(const bp_start_args* args, bp_instance** instance, bp_error* error) {
  bp_instance* made = malloc(sizeof *made);
  if (made == NULL) return fail_for_memory(args->host, error);
  *made = (bp_instance){.host = args->host, .rows = {.host = args->host}};
  *instance = made;
  return BP_STATUS_SUCCESS;
}
static void stop(bp_instance* instance) { free(instance); }

static bp_status describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                          bp_error* error) {
  static const int64_t rank = 10;
  static const bp_named_value of_rank = {BP_CAPABILITY_RANK, {BP_VALUE_INT, 0, 1, &rank}};
  const bp_kind_info rows = {.size_bytes = sizeof rows,
                             .flags = BP_KIND_SUB_TENSORS | BP_KIND_MAP | BP_KIND_IN_PLACE,
                             .id = "Example/CKinds/Rows",
                             .kind = &instance->rows,
                             .import_sources = BP_MEMORY_CPU,
                             .export_sources = BP_MEMORY_CPU,
                             .allocate_source = BP_MEMORY_CPU};
  if (args->item == BP_ITEM_CAPABILITY)
    return instance->host->add(sink, BP_ITEM_CAPABILITY, &of_rank, error);
  if (args->item == BP_ITEM_KIND) return instance->host->add(sink, BP_ITEM_KIND, &rows, error);
  return BP_STATUS_SUCCESS;
}

static int is_like(const bp_tensor_info* info, const bp_tensor_info* output) {
  if (info == NULL || info->data_type != BP_DATA_TYPE_FLOAT32 || info->quantization != NULL ||
      info->rank > MAX_RANK || info->rank != output->rank)
    return 0;
  for (uint32_t axis = 0; axis < info->rank; ++axis)
    if (info->dims[axis] != output->dims[axis]) return 0;
  return 1;
}

static bp_status check_layer(const bp_layer_args* args, bp_error* error) {
  const bp_layer* layer = args->layer;
  const bp_activation_descriptor* activation = layer->descriptor;
  const bp_elementwise_binary_descriptor* binary = layer->descriptor;
  const int is_known =
      (layer->type == BP_LAYER_ACTIVATION && activation->function == BP_ACTIVATION_FUNCTION_RELU) ||
      (layer->type == BP_LAYER_ELEMENTWISE_BINARY && binary->operation == BP_BINARY_OPERATION_ADD);
  if (!is_known)
    return refuse(args->scope, error, "only ReLU and the sum of two tensors are supported");
  for (uint32_t i = 0; i < layer->num_inputs; ++i)
    if (!is_like(layer->inputs[i], layer->outputs[0]))
      return refuse(args->scope, error, "only float32 tensors of equal extents are supported");
  return BP_STATUS_SUCCESS;
}

/* Wants all tensors in rows. */
static bp_status supports(bp_instance* instance, const bp_layer_args* args, bp_support* support,
                          bp_error* error) {
  const bp_layer* layer = args->layer;
  const bp_status status = check_layer(args, error);
  if (status != BP_STATUS_SUCCESS) return status;
  for (uint32_t i = 0; i < layer->num_inputs + layer->num_outputs; ++i)
    support->kinds[i] = &instance->rows;
  for (uint32_t i = 0; i < layer->num_inputs; ++i) support->in_place[0] |= UINT64_C(1) << i;
  return BP_STATUS_SUCCESS;
}

static bp_status make_builder(bp_instance* instance, const bp_scope_args* args,
                              bp_builder** builder, bp_error* error) {
  (void)args;
  *builder = calloc(1, sizeof **builder);
  if (*builder != NULL) return BP_STATUS_SUCCESS;
  return fail_for_memory(instance->host, error);
}
static void free_builder(bp_builder* builder) { free(builder); }

static bp_status make_workload(bp_builder* builder, const bp_layer_args* args,
                               bp_workload** workload, bp_error* error) {
  const bp_status status = check_layer(args, error);
  (void)builder;
  if (status != BP_STATUS_SUCCESS) return status;
  *workload = calloc(1, sizeof **workload);
  if (*workload == NULL) return fail_for_memory(args->scope->host, error);
  (*workload)->is_sum = args->layer->type == BP_LAYER_ELEMENTWISE_BINARY;
  return BP_STATUS_SUCCESS;
}
static void free_workload(bp_workload* workload) { free(workload); }

static bp_status make_loaded(bp_builder* builder, const bp_scope_args* args, bp_loaded** loaded,
                             bp_error* error) {
  (void)builder;
  *loaded = calloc(1, sizeof **loaded);
  if (*loaded != NULL) return BP_STATUS_SUCCESS;
  return fail_for_memory(args->scope->host, error);
}
static void free_loaded(bp_loaded* loaded) { free(loaded); }

/* Computes the elements from one axis on, wherever each tensor has them. In place, y is a or b. */
static void compute(const bp_workload* workload, const bp_view* views, uint32_t axis, const char* a,
                    const char* b, char* y) {
  const bp_view *of_a = &views[0], *of_b = &views[1], *of_y = &views[2];
  if (axis == of_y->rank) {
    const float x = *(const float*)a;
    *(float*)y = workload->is_sum ? x + *(const float*)b : x < 0 ? 0 : x;
    return;
  }
  for (int64_t i = 0; i < of_y->dims[axis]; ++i)
    compute(workload, views, axis + 1, a + i * of_a->strides[axis], b + i * of_b->strides[axis],
            y + i * of_y->strides[axis]);
}

/* A tensor of the run with strides; those of dense tensors are written to `room`. An own tensor is
   asked for where it lies, another one is described. */
static bp_view find_tensor(const bp_tensor* tensor, int64_t* room) {
  bp_view view = {.size_bytes = sizeof view};
  if (tensor->handle != NULL) return locate(tensor->handle);
  if (tensor->view == NULL) return view;
  view = *tensor->view;
  if (view.strides == NULL && view.rank <= MAX_RANK) {
    int64_t stride = sizeof(float);
    for (uint32_t axis = view.rank; axis-- > 0; stride *= view.dims[axis]) room[axis] = stride;
    view.strides = room;
  }
  return view;
}

static bp_status run(const bp_workload* workload, const bp_run_args* args, bp_error* error) {
  int64_t rooms[3][MAX_RANK];
  const bp_view views[] = {
      find_tensor(&args->inputs[0], rooms[0]),
      find_tensor(&args->inputs[args->num_inputs - 1], rooms[1]),
      find_tensor(&args->outputs[0], rooms[2]),
  };
  if (args->num_waits != 0)
    return refuse(args->scope, error, "fences are not waited for");
  for (int i = 0; i < 3; ++i)
    if (views[i].data == NULL || views[i].rank != views[2].rank || views[i].rank > MAX_RANK)
      return fail_for_argument(args->scope, error, "a tensor is not in memory of the CPU");
  compute(workload, views, 0, views[0].data, views[1].data, views[2].data);
  return BP_STATUS_SUCCESS;
}

static const bp_backend kBackend = {
    .size_bytes = sizeof kBackend, .major = BP_API_MAJOR, .needs_minor = BP_NEEDS_MINOR,
    .knows_minor = BP_KNOWS_MINOR, .id = "CKinds",
    .start = start, .stop = stop, .describe = describe, .supports = supports,
    .make_builder = make_builder, .free_builder = free_builder,
    .make_workload = make_workload, .free_workload = free_workload,
    .make_loaded = make_loaded, .free_loaded = free_loaded, .run = run,
    .requirements = requirements, .allocate = allocate, .free_block = free_block,
    .make_handle = make_handle, .bind = bind, .get_view = get_view, .map = map, .unmap = unmap,
    .free_handle = free_handle};

const char* GetBackendId(void) { return kBackend.id; }
void GetVersion(uint32_t* major, uint32_t* minor) {
  *major = BP_API_MAJOR;
  *minor = BP_NEEDS_MINOR;
}
void* BackendFactory(void) { return (void*)&kBackend; }
