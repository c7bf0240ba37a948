/* Backplane Backend API: the boundary between a host and a backend, in C11 or C++17.

   A backend is a shared object that exports the three functions at the end of this file. The last
   of them returns the table bp_backend. The host calls that table; the backend calls the table
   bp_host, which every call carries.

   RULES OF GROWTH
    1. Structs and tables begin with size_bytes, set by the side that provides the memory. Sizes are
       compared with >=, never with ==. What lies past the size counts as zero: test with BP_HAS, or
       copy once into a struct of one's own length. Growing structs end without padding.
    2. Zero (null) in a new field means what was before the field existed. Reserved words are zero,
       and refused otherwise.
    3. Caller provides an out-struct, zeroes it and sets its size. Callee writes no further than that.
    4. Growing structs are passed by pointer, lists of them as arrays of pointers, and they never lie
       inside another struct. Frozen structs never change and may lie in arrays; they are bp_text,
       bp_value, bp_named_value, bp_native, bp_extent, bp_extent_change, bp_slot, bp_pair, bp_fence
       and bp_tensor.
    5. Tables grow at their end. A function that may be null says "null:" and never becomes required.
    6. A backend loads in hosts from needs_minor on. A host asks for nothing newer than knows_minor:
       no function, number, flag or field. When a question has a newer field that is not zero, the
       host does not ask: it goes on as if the backend had answered BP_STATUS_UNSUPPORTED.
    7. A backend leaves fields newer than host->minor zero and calls no newer function. A host refuses
       a longer struct whose unknown bytes are not all zero.
    8. Numbers and flags are never reused. An unknown number or flag in a question is answered with
       BP_STATUS_UNSUPPORTED; in a description it is passed over.
    9. New things start as an extension, found by id in either table, and keep the id when they
       become stable. Ids look like "vendor/name/1".

   RULES OF CALLS
    - Functions are (object, const args*, out*, error*), without what they do not need. Those that
      free, log or give notice, and `extension`, are shorter. An out is not read after a failure.
    - make_context, make_model, make_state and make_profiler may succeed with null: nothing is kept.
      The others give an object. What a failed `start` has made is not stopped.
    - Pointers in arguments are borrowed until the call returns, unless "stays" says otherwise. Each
      side frees only what it made. Nothing throws, unwinds or jumps across the boundary.
    - The host frees children before parents: instance > context > model > builder, loaded, compiled,
      kind, profiler; loaded > workload, state; kind > handle. When loading fails, it frees the
      workloads and then the builder. It holds no lock that its own functions take while it calls.
    - Names and messages are UTF-8 and end at a zero byte. Texts inside values have a length.
    - Each function has a thread tag:
        [any thread]     by several threads at once, also on one object;
        [one at a time]  by any thread, but calls on one object never overlap;
        [during F]       only from within a call of F, on the thread of that call.
    - Everything is since 1.0 unless "since" says otherwise. */
#ifndef BACKPLANE_C_BACKEND_H
#define BACKPLANE_C_BACKEND_H
#include <backplane/c/layers.h>
#include <backplane/c/note.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define BP_FROZEN(type, size) static_assert(sizeof(void*) != 8 || sizeof(type) == (size), #type " is frozen")
#else
#define BP_FROZEN(type, size) _Static_assert(sizeof(void*) != 8 || sizeof(type) == (size), #type " is frozen")
#endif

/* True when the struct or table at `pointer` is long enough to have `member`. */
#define BP_HAS(type, pointer, member) \
  ((pointer)->size_bytes >= offsetof(type, member) + sizeof((pointer)->member))

/* ---- Statuses ------------------------------------------------------------------------------- */
typedef int32_t bp_status;
enum { /* what each leaves usable */
  BP_STATUS_SUCCESS = 0,
  BP_STATUS_FAILURE = 1,          /* all objects stay usable; outputs of a run are undefined */
  BP_STATUS_INVALID_ARGUMENT = 2, /* nothing has changed */
  BP_STATUS_UNSUPPORTED = 3,      /* an answer, not a fault; nothing has changed */
  BP_STATUS_OUT_OF_MEMORY = 4,    /* nothing has changed; the call may be repeated */
  BP_STATUS_UNAVAILABLE = 5,      /* device, driver or licence is missing: bp_failure.reason; the instance stays */
  BP_STATUS_TIMEOUT = 6,          /* state and tensors are in use until the fences have passed */
  BP_STATUS_BUSY = 7,             /* nothing has changed; the call may be repeated later */
  BP_STATUS_ALREADY_EXISTS = 8,   /* nothing has changed */
  BP_STATUS_NOT_FOUND = 9,        /* nothing has changed */
  BP_STATUS_CANCELLED = 10,       /* the stop word was read; objects as after FAILURE */
  BP_STATUS_DEVICE_LOST = 11      /* the context and all made from it may only be freed */
};

/* ---- Objects: opaque to the other side ------------------------------------------------------- */
/* Of the backend. */
typedef struct bp_instance bp_instance; /* one start */
typedef struct bp_context bp_context;   /* one runtime with its devices */
typedef struct bp_model bp_model;       /* one network: its options, read once */
typedef struct bp_compiled bp_compiled; /* one compiled sub-graph, immutable */
typedef struct bp_builder bp_builder;   /* makes the workloads of one network while it is loaded */
typedef struct bp_loaded bp_loaded;     /* one loaded network */
typedef struct bp_workload bp_workload; /* one layer, immutable */
typedef struct bp_state bp_state;       /* what one run at a time changes: scratch memory, queues */
typedef struct bp_kind bp_kind;         /* one kind of tensor memory */
typedef struct bp_handle bp_handle;     /* one tensor in memory of a kind */
typedef struct bp_profiler bp_profiler; /* measures for one runtime */
/* Of the host. */
typedef struct bp_host bp_host;           /* the host's table; one for each start */
typedef struct bp_error bp_error;         /* takes one failure; may be null */
typedef struct bp_log bp_log;             /* takes log lines */
typedef struct bp_sink bp_sink;           /* takes the items of a list */
typedef struct bp_network bp_network;     /* one network and its files */
typedef struct bp_constant_source bp_constant_source; /* one constant as one layer reads it */
typedef struct bp_shared bp_shared;       /* one share of a content */
typedef struct bp_offer bp_offer;         /* one sub-graph, offered to be compiled */
typedef struct bp_run bp_run;             /* one run; ends when it has returned and its fences have passed */
typedef struct bp_allocator bp_allocator; /* the application's */

/* ---- Values ---------------------------------------------------------------------------------- */
typedef struct bp_text { const char* data; uint64_t length; } bp_text; /* UTF-8 or bytes; frozen */

enum { /* elements that bp_value.data points to */
  BP_VALUE_BOOL = 1,  /* int64_t, 0 or 1 */
  BP_VALUE_INT = 2,   /* int64_t */
  BP_VALUE_FLOAT = 3, /* double */
  BP_VALUE_TEXT = 4,  /* bp_text */
  BP_VALUE_BYTES = 5, /* bp_text */
  BP_VALUE_TENSOR = 6 /* const bp_constant* */
};
/* One value or a list; serves options, capabilities, attributes, properties and metadata. Frozen. */
typedef struct bp_value {
  uint32_t type, is_list; /* not a list: count is 1 */
  uint64_t count;
  const void* data;
} bp_value;
typedef struct bp_named_value { const char* name; bp_value value; } bp_named_value; /* frozen */
/* A handle of another interface, such as "opencl/cl_context". Refused under isolation. Frozen. */
typedef struct bp_native { const char* name; void* pointer; } bp_native;

/* ---- Tensors --------------------------------------------------------------------------------- */
#define BP_OPEN_EXTENT (-1)           /* in dims: not known yet */
#define BP_UNKNOWN_RANK UINT32_MAX    /* in rank: not even the rank is known; dims is null */
#define BP_ANY_NUMBER UINT32_MAX      /* no upper bound */
#define BP_NO_TIMEOUT UINT64_MAX

enum { BP_STORAGE_PADDED = 0,  /* each element has whole bytes of its own; narrow ones the lowest bits */
       BP_STORAGE_PACKED = 1,  /* dense, ONNX's order; each row of the innermost axis begins at a byte */
       BP_STORAGE_OPAQUE = 2 }; /* known to the backend alone; never mapped, imported or exported */
enum { BP_SIZED_BY_SHAPE = 0,  /* extents are known before the run */
       BP_SIZED_BY_BOUND = 1,  /* memory for the greatest extents; set_output states the actual ones */
       BP_SIZED_IN_RUN = 2 };  /* no memory before the run; set_output allocates */
enum { BP_QUANTIZATION_PER_TENSOR = 1, /* scales and zero points have one element */
       BP_QUANTIZATION_PER_AXIS = 2,   /* one for each index along `axis` */
       BP_QUANTIZATION_BLOCKS = 3 };   /* one for each block of block_dims; no host of 1.0 offers it */

/* What is known of an open extent. Equal names mean equal extents. Frozen. */
typedef struct bp_extent {
  const char* name;        /* null: none */
  int64_t least, greatest; /* greatest 0: no upper bound */
} bp_extent;
/* An extent of a compiled sub-graph that gets another value. Frozen. */
typedef struct bp_extent_change { int64_t before, after; } bp_extent_change;
/* real = tensor_scale * scale * (stored - zero point) */
typedef struct bp_quantization {
  uint32_t size_bytes, kind;             /* BP_QUANTIZATION_...; an unknown kind is refused */
  const struct bp_constant* scales;      /* of a data type of their own; in 1.0 float32 */
  const struct bp_constant* zero_points; /* in 1.0 int32; null: all 0 */
  const struct bp_constant* tensor_scale; /* null: 1 */
  const int64_t* block_dims;             /* BLOCKS: the block's extent along each axis; else null */
  uint32_t axis, reserved;
} bp_quantization;
/* What a tensor is. A data type of 0 bits, such as the reserved one for texts, has no size by its shape. */
typedef struct bp_tensor_info {
  uint32_t size_bytes, data_type; /* BP_DATA_TYPE_... of layers.h */
  uint32_t rank, storage;         /* BP_STORAGE_... */
  const int64_t* dims;            /* outermost first; BP_OPEN_EXTENT where open */
  const bp_extent* extents;       /* one for each axis; null: nothing is known of open ones */
  const bp_quantization* quantization; /* null: not quantised */
  uint32_t sizing, num_metadata;  /* BP_SIZED_..., of outputs */
  const bp_named_value* metadata; /* of outputs; "labels": the texts that integers stand for */
} bp_tensor_info;
/* A tensor whose content is part of the network. Its bytes are dense and aligned for its type. */
typedef struct bp_constant {
  uint32_t size_bytes, reserved;
  const bp_tensor_info* info;
  const void* data;       /* null: empty, only asked about, or not read yet (see read_constant) */
  uint64_t num_bytes;
  uint64_t identity[2];   /* equal: the same content, in every network; both 0: not stated */
  const char* file;       /* a name for open_resource; null: lies in no file */
  uint64_t file_offset;   /* of the first byte in the file */
  uint64_t memory_offset; /* of `data` in the memory block it shares with others */
  bp_constant_source* source; /* for read_constant and release_constant; null: `data` is all there is */
} bp_constant;

enum { /* where memory comes from; single bits of a uint64_t */
  BP_MEMORY_CPU = 1,               /* addressable by the CPU */
  BP_MEMORY_FILE = 2,              /* a memfd or another descriptor that can be mapped */
  BP_MEMORY_DMA_BUF = 4,
  BP_MEMORY_DMA_BUF_PROTECTED = 8, /* the CPU may not read it */
  BP_MEMORY_DEVICE = 16            /* device_address on `device` */
};
enum { BP_ACCESS_READ = 1, BP_ACCESS_WRITE = 2, BP_ACCESS_READ_WRITE = 3 };

/* Memory of one tensor, or a block without a tensor (data_type and rank 0). Owns nothing. */
typedef struct bp_view {
  uint32_t size_bytes, data_type, rank, storage;
  void* data;                 /* first byte; null when the CPU cannot address it */
  const int64_t *dims, *strides; /* stay with the view; strides in bytes; null: dense, as packed always is */
  uint64_t num_bytes;
  uint32_t access, reserved;
  int32_t file;               /* read only where the source is a file or a dma-buf */
  uint32_t device;            /* index; read only for BP_MEMORY_DEVICE */
  uint64_t source;            /* one BP_MEMORY_... bit */
  uint64_t device_address;    /* first byte, as the device addresses it */
  uint64_t offset;            /* of the first byte in the file; `data` already includes it */
  uint64_t alignment;
  uint64_t token;             /* of the side that allocated; others pass it on */
} bp_view;

enum { BP_TENSOR_OVERWRITABLE = 1 }; /* an input whose content nobody reads after this workload */
/* One tensor of a run. Frozen. */
typedef struct bp_tensor {
  const bp_view* view; /* null: not described, or an output of BP_SIZED_IN_RUN */
  bp_handle* handle;   /* of a kind of this backend; else null */
  uint64_t flags;      /* BP_TENSOR_... */
} bp_tensor;

enum { /* bit N of a set of kinds stands for kind N */
  BP_FENCE_NONE = 0,      /* the work has finished */
  BP_FENCE_SYNC_FILE = 1, /* a sync_file, readable when the work has finished */
  BP_FENCE_EVENT_FD = 2,  /* an eventfd, readable when the work has finished */
  BP_FENCE_OPAQUE = 3,    /* known by its token; waited for with `wait` */
  BP_FENCE_TIMELINE = 4   /* a file of a timeline semaphore that reaches `value` */
};
/* The file stays the giver's, until the workload runs again with that state or the state is freed.
   A token that is not 0 asks the host to learn by `wait` how the work ended. Frozen. */
typedef struct bp_fence {
  uint32_t kind;
  int32_t file; /* read only for kinds that are files */
  uint64_t token, value, reserved[2];
} bp_fence;

/* ---- Layers ---------------------------------------------------------------------------------- */
typedef struct bp_slot { uint32_t layer, index; } bp_slot; /* one output, or input, of one layer; frozen */
/* One layer, when it is asked about, made, offered or added. */
typedef struct bp_layer {
  uint32_t size_bytes, type;    /* BP_LAYER_... of layers.h */
  const char* name;             /* path of the node */
  const void* descriptor;       /* begins with its size; of the type that `type` states */
  const bp_tensor_info* const* inputs; /* an entry is null where an optional input is left out */
  const bp_tensor_info* const* outputs;
  uint32_t num_inputs, num_outputs;
  const bp_constant* const* constants; /* one for each input, or null; the whole may be null */
  bp_kind* const* kinds;        /* inputs, then outputs: the backend's own kind, or null; null before loading */
  const bp_slot* slots;         /* in offers: what each input reads */
  bp_compiled* compiled;        /* of BP_LAYER_PRE_COMPILED */
  uint32_t id, reserved;        /* in offers */
} bp_layer;
/* The descriptor of BP_LAYER_CUSTOM: a layer of an operator that a backend declares. */
typedef struct bp_custom_descriptor {
  uint32_t size_bytes, version; /* version of the domain's operator set */
  const char *domain, *type;
  const bp_named_value* attributes; /* those that the model states */
  uint32_t num_attributes, num_subgraphs; /* num_subgraphs is 0 in 1.0 */
} bp_custom_descriptor;

/* ---- What a backend says of itself ----------------------------------------------------------- */
enum { /* what `describe` is asked for, what `add` takes, and the struct of each item */
  BP_ITEM_CAPABILITY = 1,  /* bp_named_value */
  BP_ITEM_OPTION = 2,      /* bp_option_schema */
  BP_ITEM_DEVICE = 3,      /* bp_device */
  BP_ITEM_OPERATOR = 4,    /* bp_operator */
  BP_ITEM_KIND = 5,        /* bp_kind_info; best first */
  BP_ITEM_COUNTER = 6,     /* bp_counter */
  BP_ITEM_TENSOR_INFO = 7, /* bp_tensor_info; for infer */
  BP_ITEM_BYTES = 8,       /* bp_text, appended; for save */
  BP_ITEM_EVENT = 9,       /* bp_event; for a profiler's sink */
  BP_ITEM_SAMPLE = 10,     /* bp_sample; for a profiler's sink */
  BP_ITEM_OPERATOR_CASE = 11, /* bp_operator_case */
  BP_ITEM_IN_PLACE = 12    /* bp_pair; for in_place */
};

/* Known capabilities. Those not stated are 0 or false; other names are shown to users as they are. */
#define BP_CAPABILITY_RANK "Rank"                     /* int: the highest is asked first */
#define BP_CAPABILITY_ALL_OR_NOTHING "AllOrNothing"   /* bool: whole networks only */
#define BP_CAPABILITY_PROTECTED "ProtectedContentAllocation" /* bool: works in memory the CPU may not read */
#define BP_CAPABILITY_CUSTOM_ALLOCATOR "CustomAllocator" /* bool: tensors may lie in memory of the application's allocator */
#define BP_CAPABILITY_IN_PLACE "InPlace"              /* bool: in the host's memory, as the table of operators allows */
#define BP_CAPABILITY_FENCES "Fences"                 /* int: kinds of fences that workloads wait for themselves */
#define BP_CAPABILITY_CONCURRENT_RUNS "ConcurrentRuns" /* int: runs of one context at a time; 0: any number */
#define BP_CAPABILITY_STOP "Stop"                     /* bool: stop words and deadlines are read */
#define BP_CAPABILITY_OPEN_EXTENTS "OpenExtents"      /* bool: workloads take extents that are open when made */
#define BP_CAPABILITY_UNREAD_CONSTANTS "UnreadConstants" /* bool: constants may come without data */
#define BP_CAPABILITY_PACKED "PackedStorage"          /* bool: takes BP_STORAGE_PACKED */
#define BP_CAPABILITY_SIZED_IN_RUN "SizedInRun"       /* bool: calls set_output */
#define BP_CAPABILITY_CROSSING_TIME "CrossingTime"    /* float, us: to bring one tensor in or out */
#define BP_CAPABILITY_CROSSING_RATE "CrossingRate"    /* float, bytes/us: on top of the time */
#define BP_CAPABILITY_LAUNCH_TIME "LaunchTime"        /* float, us: to begin one layer */
#define BP_CAPABILITY_COMPUTE_RATE "ComputeRate"      /* float, float32 operations/us; not stated: 10000 */

enum { BP_OPTION_OF_CONTEXT = 1, BP_OPTION_OF_NETWORK = 2 };
/* An option, or an attribute of an operator. The host refuses unknown names, other types and values
   outside before a backend sees them. */
typedef struct bp_option_schema {
  uint32_t size_bytes, flags; /* BP_OPTION_OF_...; 0: both */
  const char *name, *text;    /* text: one sentence for users */
  const bp_value* initial;    /* also states the type; of an attribute that is a list, a list */
  const bp_value *least, *greatest; /* null: no bound there */
  const bp_value* allowed;    /* a list; null: any */
} bp_option_schema;

enum { BP_DEVICE_OTHER = 0, BP_DEVICE_CPU = 1, BP_DEVICE_GPU = 2, BP_DEVICE_NPU = 3, BP_DEVICE_TARGET = 4 };
/* A device, or a compile target. The index holds in this process only and is never stored. */
typedef struct bp_device {
  uint32_t size_bytes, index, kind, num_ids;
  const char* const* ids; /* "scheme:value": pci, uuid, luid, usb, of; "target:NAME" for a target */
  const char *name, *vendor, *driver_version; /* null: not stated */
  uint64_t memory_bytes;
  const bp_named_value* properties;
  uint32_t num_properties, reserved;
} bp_device;
typedef struct bp_pair { uint32_t input, output; } bp_pair; /* frozen */
enum { BP_SLOT_OPTIONAL = 1,    /* may be left out */
       BP_SLOT_VARIADIC = 2,    /* the last one; stands for all that follow */
       BP_SLOT_VALUE = 4,       /* the shape function needs the values of this input */
       BP_SLOT_CPU_MEMORY = 8 }; /* wanted in memory of the CPU */
/* One input or output of an operator. */
typedef struct bp_operator_slot {
  uint32_t size_bytes, flags; /* BP_SLOT_... */
  const char* name;
  const uint32_t* data_types; /* allowed */
  uint32_t num_data_types;
  uint32_t type_group;        /* slots of one group have one type; 0: no group */
  uint32_t sizing, reserved;  /* BP_SIZED_..., of outputs */
} bp_operator_slot;

enum { BP_OPERATOR_IMPURE = 1 }; /* equal inputs may give other outputs: not folded, not merged */
/* An operator of the backend's own, or a standard one that it claims as (domain, type, versions). */
typedef struct bp_operator {
  uint32_t size_bytes, flags;
  const char *domain, *type, *text;
  uint32_t version_from, version_to; /* of the domain's operator set, inclusive */
  const bp_operator_slot* const* inputs;
  const bp_operator_slot* const* outputs;
  uint32_t num_inputs, num_outputs;   /* entries of the two lists */
  uint32_t min_inputs, max_inputs, min_outputs, max_outputs; /* BP_ANY_NUMBER: no bound; 0 and 0: as the slots say */
  const bp_option_schema* const* attributes;
  const bp_pair *may_alias, *must_alias; /* which output may, or must, lie where an input lies */
  uint32_t num_attributes, num_may_alias, num_must_alias;
  uint32_t num_subgraphs;             /* attributes that are sub-graphs; 0 in 1.0 */
} bp_operator;

/* A layer of an operator of the backend's own with inputs and the outputs that are right. check-backend
   holds results against it. */
typedef struct bp_operator_case {
  uint32_t size_bytes, reserved;
  const char* name;
  const bp_custom_descriptor* layer;
  const bp_constant* const* inputs;
  const bp_constant* const* outputs;
  uint32_t num_inputs, num_outputs;
  double tolerance; /* each element may differ by this and by this part of its value */
} bp_operator_case;

enum { BP_KIND_SUB_TENSORS = 1,   /* make_handle takes a parent */
       BP_KIND_MAP = 2,           /* map and unmap work */
       BP_KIND_IN_PLACE = 4,      /* layers may write where they read */
       BP_KIND_OWNS_MEMORY = 8,   /* handles allocate for themselves and are never bound to a block */
       BP_KIND_COPIES_WITHIN = 16, /* Copy workloads copy between kinds of this backend that say so */
       BP_KIND_NOT_PREFERRED = 32 }; /* no tensor of a workload is placed here by itself */
/* A kind of tensor memory that workloads can use: one of the backend's, or another's by its id. */
typedef struct bp_kind_info {
  uint32_t size_bytes, flags;  /* BP_KIND_... */
  const char* id;              /* "Vendor/Backend/Kind" */
  bp_kind* kind;               /* stays as long as the model, context or instance of the scope; null: another's */
  uint64_t import_sources, export_sources;   /* BP_MEMORY_... bits */
  uint64_t copy_to_sources, copy_from_sources; /* Copy workloads copy tensors of this kind there, and from there */
  uint64_t allocate_source;    /* what `allocate` gives; 0: the host allocates memory of the CPU */
  uint32_t storage, arena;     /* kinds of one arena number share their blocks */
} bp_kind_info;
typedef struct bp_counter { uint32_t size_bytes, id; const char *name, *unit, *text; } bp_counter;
typedef struct bp_event {  /* something that lasted; times of CLOCK_MONOTONIC */
  uint32_t size_bytes, step;
  uint64_t run, begin_ns, end_ns;
  const char *name, *lane; /* lane: what ran it, such as a queue */
} bp_event;
typedef struct bp_sample { uint32_t size_bytes, counter; uint64_t run, time_ns; double value; uint32_t step, reserved; } bp_sample;

/* The frozen structs, all of them. */
BP_FROZEN(bp_text, 16); BP_FROZEN(bp_value, 24); BP_FROZEN(bp_named_value, 32);
BP_FROZEN(bp_native, 16); BP_FROZEN(bp_extent, 24); BP_FROZEN(bp_tensor, 24);
BP_FROZEN(bp_fence, 40); BP_FROZEN(bp_slot, 8); BP_FROZEN(bp_pair, 8);
BP_FROZEN(bp_extent_change, 16);

/* ---- Arguments that several functions share -------------------------------------------------- */
/* For what a call is made; every args struct points to one. The objects in it stay as long as what
   the call makes. */
typedef struct bp_scope {
  uint32_t size_bytes, num_options;
  const bp_host* host;          /* never null */
  const bp_log* log;            /* never null */
  bp_instance* instance;        /* what start gave */
  bp_context* context;          /* null: none was made */
  bp_model* model;              /* null: none was made */
  bp_network* network;          /* null outside of networks */
  const bp_named_value* options; /* given ones only, checked; of the network, or of the context where it is made */
  const uint32_t* devices;      /* indices; what is answered holds for all of them together */
  uint32_t num_devices;
  uint32_t max_threads;         /* 0: as many as the backend likes */
  const char* target;           /* "target:NAME": compile only, open nothing; null: the devices */
} bp_scope;
typedef struct bp_scope_args { uint32_t size_bytes, reserved; const bp_scope* scope; } bp_scope_args;
/* What a tensor asks of memory, and what is allocated. The alignment is a power of two. */
typedef struct bp_requirements { uint32_t size_bytes, reserved; uint64_t num_bytes, alignment; } bp_requirements;
/* What a failure says. The host copies it. */
typedef struct bp_failure {
  uint32_t size_bytes;
  bp_status status;
  const char* text;           /* what was found and what is supported */
  uint32_t reason;            /* of UNAVAILABLE: BP_UNAVAILABILITY_REASON_... of layers.h */
  uint32_t num_values;
  int64_t vendor_code;        /* 0: none */
  const bp_named_value* values;
} bp_failure;
/* Content that stays until release_shared(shared). */
typedef struct bp_content { uint32_t size_bytes, reserved; const void* data; uint64_t num_bytes; bp_shared* shared; } bp_content;

/* ---- The host's table ------------------------------------------------------------------------ */
typedef struct bp_progress_args { uint32_t size_bytes, reserved; uint64_t done, total; const char* text; } bp_progress_args;
typedef struct bp_parallel_args {
  uint32_t size_bytes, reserved;
  uint64_t count;
  void (*call)(void* data, uint64_t index); /* index below count; several at once */
  void* data;
} bp_parallel_args;
typedef struct bp_output_args { uint32_t size_bytes, output; const int64_t* dims; uint32_t rank, reserved; } bp_output_args;
typedef struct bp_resource_args { uint32_t size_bytes, reserved; const char* name; } bp_resource_args;
typedef struct bp_resource { uint32_t size_bytes; int32_t file; uint64_t offset, num_bytes; } bp_resource;
typedef struct bp_read_args {
  uint32_t size_bytes, reserved;
  uint64_t offset, num_bytes;
  void* destination;          /* null: the whole content is shared instead of copied */
} bp_read_args;
typedef struct bp_packed_args {
  uint32_t size_bytes, reserved;
  uint64_t identity[2];       /* of the constant */
  const char* key;            /* how it is packed; layout, kernel, target */
  bp_status (*make)(void* data, void** packed, uint64_t* num_bytes, bp_error*); /* called when there is none yet */
  void (*destroy)(void* packed); /* called when nobody shares it any more */
  void* data;                 /* for make */
} bp_packed_args;
typedef struct bp_lost_args { uint32_t size_bytes, device; bp_context* context; const char* text; } bp_lost_args;
typedef struct bp_part {      /* some layers of an offer, with the tensors that enter and leave */
  uint32_t size_bytes, num_layers;
  const uint32_t* layers;     /* ids, in an order in which they can run */
  const bp_slot *inputs, *outputs; /* constants do not count as inputs */
  uint32_t num_inputs, num_outputs;
} bp_part;
enum { BP_PART_REPLACED = 1,  /* by `replacement`; inputs and outputs in the same order */
       BP_PART_FAILED = 2,    /* given to another backend */
       BP_PART_UNTOUCHED = 3, /* run layer by layer */
       BP_PART_DELETED = 4 }; /* not needed; inputs take the place of outputs, one to one */
typedef struct bp_answer { uint32_t size_bytes, kind; const bp_part *part, *replacement; } bp_answer;
typedef struct bp_cache_args { uint32_t size_bytes, reserved; const char* key; const void* content; uint64_t num_bytes; } bp_cache_args;
/* What the host offers. All functions are there. Stays until `stop` has returned. */
struct bp_host {
  uint32_t size_bytes, major, minor, reserved;
  const char* name; /* "Backplane 1.3.0", for logs */

  /* The least BP_LOG_LEVEL_... that goes anywhere; and a line of one. [any thread] */
  uint32_t (*log_level)(const bp_log*);
  void (*log)(const bp_log*, uint32_t level, const char* line);
  /* Keeps a copy of the failure; returns its status. A null error is fine. [any thread] */
  bp_status (*fail)(bp_error*, const bp_failure*);
  /* The table of an extension; stays as the host's does. Null: unknown. [any thread] */
  const void* (*extension)(const bp_host*, const char* id);
  /* Adds a copy of one item to a list. INVALID_ARGUMENT: not an item of this sink; ALREADY_EXISTS.
     [during the call that got the sink; any thread for a profiler's] */
  bp_status (*add)(bp_sink*, uint32_t item, const void*, bp_error*);

  /* Allocates from the application's allocator. OUT_OF_MEMORY; UNSUPPORTED alignment. [any thread] */
  bp_status (*allocate)(bp_allocator*, const bp_requirements*, bp_view*, bp_error*);
  void (*free_block)(bp_allocator*, const bp_view*); /* [any thread] */

  /* Calls on the host's threads and the caller's; returns when all have returned. [during run] */
  bp_status (*parallel)(bp_run*, const bp_parallel_args*, bp_error*);
  /* States the extents of an output. SIZED_IN_RUN: allocates and fills the view, which stays as long
     as the run; SIZED_BY_BOUND: the view is the output's. Once for each output. [during run] */
  bp_status (*set_output)(bp_run*, const bp_output_args*, bp_view*, bp_error*);
  /* Reports that a device no longer works, outside of a call. [any thread] */
  void (*device_lost)(const bp_host*, const bp_lost_args*);

  /* Opens a file of the model; the only way to. The backend closes it. NOT_FOUND. [any thread] */
  bp_status (*open_resource)(bp_network*, const bp_resource_args*, bp_resource*, bp_error*);
  /* Copies bytes of a constant, or shares all of it beyond the call. [any thread] */
  bp_status (*read_constant)(bp_constant_source*, const bp_read_args*, bp_content*, bp_error*);
  /* Lets go of the constant of a layer that is then replaced or deleted. Twice is fine. [during optimize] */
  bp_status (*release_constant)(bp_constant_source*, bp_error*);
  /* Gives packed weights that networks and runtimes share; makes them when there are none. [any thread] */
  bp_status (*share_packed)(const bp_host*, const bp_packed_args*, bp_content*, bp_error*);
  /* Ends one share of read_constant or share_packed. [any thread] */
  void (*release_shared)(bp_shared*);

  /* Adds a layer (an operator, PRE_COMPILED, or CONSTANT with its content in constants[0]) for a
     replacement; gives its id. Descriptor and names are copied. Of a PRE_COMPILED layer the host
     then owns `compiled`. INVALID_ARGUMENT: a slot is unknown, the layer is wrong. [during optimize] */
  bp_status (*add_layer)(bp_offer*, const bp_layer*, uint32_t* id, bp_error*);
  /* Says what becomes of a part. Each layer of the offer is in exactly one part, else the offer
     stays as it was. [during optimize] */
  bp_status (*answer)(bp_offer*, const bp_answer*, bp_error*);
  /* Reads what store_cached kept for an equal sub-graph; the content stays until the offer ends.
     NOT_FOUND. [during optimize] */
  bp_status (*load_cached)(bp_offer*, const bp_cache_args*, bp_content*, bp_error*);
  /* Keeps content for later processes, under a key of the backend's own. [during optimize] */
  bp_status (*store_cached)(bp_offer*, const bp_cache_args*, bp_error*);
  /* Says how far compiling is. [during optimize, save or load] */
  void (*progress)(bp_offer*, const bp_progress_args*);
};

/* Keeps a text for a failure and returns its status. */
static inline bp_status bp_fail(const bp_host* host, bp_error* error, bp_status status, const char* text) {
  bp_failure failure;
  failure.size_bytes = sizeof failure;
  failure.status = status;
  failure.text = text;
  failure.reason = failure.num_values = 0;
  failure.vendor_code = 0;
  failure.values = NULL;
  return host->fail(error, &failure);
}

/* ---- The backend's table --------------------------------------------------------------------- */
/* Known properties: "path", "data_folder", "cache_folder", "host_program" (texts), "isolated" (bool).
   Nothing is read from the environment. */
typedef struct bp_start_args {
  uint32_t size_bytes, num_properties;
  const bp_host* host;  /* stays until stop has returned */
  const bp_log* log;    /* stays as long */
  const bp_named_value* properties;
} bp_start_args;
typedef struct bp_describe_args { uint32_t size_bytes, item; const bp_scope* scope; } bp_describe_args; /* BP_ITEM_... */
typedef struct bp_context_args {
  uint32_t size_bytes, is_protected; /* 1: tensors lie in protected memory only */
  const bp_scope* scope;             /* options are those of the runtime */
  bp_allocator* allocator;           /* the application's, stays as long as the context; null: none */
  uint64_t allocator_source;         /* what it gives: one BP_MEMORY_... bit */
  const bp_native* natives;
  uint32_t num_natives, reserved;
} bp_context_args;
enum { BP_EVENT_BEFORE_LOAD = 1, BP_EVENT_AFTER_LOAD = 2, BP_EVENT_BEFORE_UNLOAD = 3, BP_EVENT_AFTER_UNLOAD = 4 };
typedef struct bp_network_args {
  uint32_t size_bytes, event;
  const bp_scope* scope;
  uint32_t network_id;
  bp_status outcome; /* of AFTER_... */
} bp_network_args;
typedef struct bp_layer_args { uint32_t size_bytes, reserved; const bp_scope* scope; const bp_layer* layer; } bp_layer_args;
typedef struct bp_support {  /* 0 is "not stated" */
  uint32_t size_bytes, reserved;
  double time_us;            /* of one run at these extents */
  uint64_t scratch_bytes;    /* of each state */
  uint64_t constant_bytes;   /* of constants in the form that is kept */
  uint64_t* in_place;        /* the host's, one word for each output: bit N: may lie where input N lies */
  bp_kind** kinds;           /* the host's, inputs then outputs: the kind wanted there */
} bp_support;
typedef struct bp_optimize_args {
  uint32_t size_bytes, num_layers;
  const bp_scope* scope;
  bp_offer* offer;
  const bp_layer* const* layers; /* of the offer, in an order in which they can run */
  const bp_part* part;           /* the whole offer, by ids and slots */
  const uint32_t* stop;          /* of the run that waits; read with relaxed order; not 0: end soon; null: never */
  uint64_t deadline_ns;          /* of CLOCK_MONOTONIC; 0: none */
  uint32_t has_cache;            /* 1: store_cached keeps what it is given */
  uint32_t is_open;              /* 1: extents of the network differ from run to run; resize may be called */
} bp_optimize_args;
/* The extents that a compiled sub-graph is to have. Each extent that was `before` is `after`: those of
   tensors and those in descriptors, which are dims, extents and starts of Reshape, Expand, Fill, Slice,
   Split and Resize, the count of Range and the repeats of Tile. Nothing else was `before`. Extents of 0
   or 1 stay, and no other becomes 0 or 1. All else is as it was offered, but for the constants here. */
typedef struct bp_resize_args {
  uint32_t size_bytes, num_changes;
  const bp_scope* scope;
  const bp_extent_change* changes; /* each `before` once */
  const bp_slot* readers;          /* inputs of layers of the offer that read another constant now */
  const bp_constant* const* constants; /* that constant, with data */
  uint32_t num_constants, reserved;
  const uint32_t* stop;            /* as in bp_optimize_args */
  uint64_t deadline_ns;
} bp_resize_args;
typedef struct bp_artifact_args { /* content: what save wrote; null for save */
  uint32_t size_bytes, reserved;
  const bp_scope* scope;
  bp_offer* offer; /* for progress; or null */
  const void* content;
  uint64_t num_bytes;
} bp_artifact_args;
enum { BP_FITS = 1, BP_FITS_SLOWER = 2, BP_FITS_AFTER_RECOMPILING = 3, BP_FITS_NEVER = 4 };
typedef struct bp_check_args { uint32_t size_bytes, reserved; const bp_scope* scope; const char* description; } bp_check_args; /* or null */
typedef struct bp_fit {
  uint32_t size_bytes, fit;  /* BP_FITS_... for all devices of the scope together; 0 without a description */
  const char* description;   /* driver, firmware and target as they are now; stays as long as the instance */
} bp_fit;
typedef struct bp_memory_report { /* bytes; 0: none or not stated */
  uint32_t size_bytes, reserved;
  uint64_t constants;  /* packed or shared, of all workloads; not those that came with layers */
  uint64_t scratch;    /* of each state */
  uint64_t device, peak;
} bp_memory_report;
typedef struct bp_state_args {
  uint32_t size_bytes;
  int32_t priority;    /* higher is sooner; 0: usual */
  const bp_scope* scope;
  const bp_native* natives;
  uint32_t num_natives, reserved;
} bp_state_args;
/* What all workloads of one run share. */
typedef struct bp_run_info {
  uint32_t size_bytes, round; /* round of the innermost loop */
  bp_run* object;             /* for set_output and parallel */
  uint64_t number;            /* no other run of the process has it: seeds random numbers; 0: not stated */
  const uint32_t* stop;       /* as in bp_optimize_args */
  uint64_t deadline_ns;
} bp_run_info;
/* One run of one workload. The host keeps and reuses it; what it holds may differ at each run. */
typedef struct bp_run_args {
  uint32_t size_bytes, step; /* step: position in the network */
  const bp_scope* scope;
  bp_state* state;           /* null when make_state gave none */
  const bp_tensor *inputs, *outputs;
  uint32_t num_inputs, num_outputs;
  const bp_run_info* run;    /* never null */
  const bp_fence *waits, *signals; /* to pass before tensors are touched; to signal when the work is done */
  uint32_t num_waits, num_signals;
  bp_fence* completion;      /* set instead of waiting for the work; null: wait */
  uint64_t completion_kinds; /* kinds that its readers wait for by themselves; 0: the host waits */
  uint64_t binding;          /* differs when an address or extent differs from the last run; 0: not known */
} bp_run_args;
typedef struct bp_wait_args { uint32_t size_bytes, reserved; const bp_scope* scope; const bp_fence* fence; uint64_t timeout_ns; } bp_wait_args;
typedef struct bp_handle_args {
  uint32_t size_bytes, layer_type; /* of a layer beside the tensor; 0: none. For requirements */
  const bp_scope* scope;
  const bp_tensor_info* info;
  bp_handle* parent;         /* the tensor is a part of this one, which outlives it; null: a whole */
  const int64_t* origin;     /* of the part in its parent, for each axis */
} bp_handle_args;
enum { BP_BIND_BLOCK = 1,     /* at `offset` of a block from `allocate` of the kind, or from the host */
       BP_BIND_IMPORT = 2,    /* use this memory until another import or the end */
       BP_BIND_END_IMPORT = 3 }; /* return to the block */
typedef struct bp_bind_args { uint32_t size_bytes, action; const bp_scope* scope; const bp_view* memory; uint64_t offset; } bp_bind_args;
typedef struct bp_view_args { uint32_t size_bytes, access; const bp_scope* scope; uint64_t source; } bp_view_args;
/* The sink stays as long as the profiler. */
typedef struct bp_profiler_args { uint32_t size_bytes, reserved; const bp_scope* scope; bp_sink* sink; } bp_profiler_args;
typedef struct bp_activate_args {
  uint32_t size_bytes, timeline; /* 1: on */
  const bp_scope* scope;
  uint64_t period_us;            /* least time between samples */
  const uint32_t* counters;
  uint32_t num_counters, reserved;
} bp_activate_args;
/* What a backend is. Required: supports, make_builder, free_builder, make_workload, free_workload,
   make_loaded, free_loaded, run. A free function is required where its make function is there. */
typedef struct bp_backend {
  uint32_t size_bytes, major, needs_minor, knows_minor; /* BP_API_MAJOR, BP_NEEDS_MINOR, BP_KNOWS_MINOR */
  const char* id;                                       /* what GetBackendId returns */

  /* Starts; may be called several times, each with a host and a stop of its own. UNAVAILABLE.
     Null: nothing to start; the instance is null. [any thread] */
  bp_status (*start)(const bp_start_args*, bp_instance**, bp_error*);
  /* Ends an instance after all its objects; may join threads. The file may be closed after the last.
     Null: with start. [one at a time] */
  void (*stop)(bp_instance*);
  /* The table of an extension; stays as long as the file. Null: unknown; the function: none. [any thread] */
  const void* (*extension)(bp_instance*, const char* id);
  /* Lists items of one sort, for the devices of the scope. Needs no context unless the item says so.
     A sort it does not know: success and nothing. Null: nothing of any sort. [any thread] */
  bp_status (*describe)(bp_instance*, const bp_describe_args*, bp_sink*, bp_error*);

  /* Makes what is kept for a runtime. UNAVAILABLE; UNSUPPORTED: devices, target, allocator or
     protection do not fit. Null: nothing is kept. [any thread] */
  bp_status (*make_context)(bp_instance*, const bp_context_args*, bp_context**, bp_error*);
  void (*free_context)(bp_context*); /* [one at a time] */
  /* Tells of a network; each BEFORE is followed by its AFTER. An error of BEFORE_LOAD refuses the
     network. Null: is not told. [one at a time] */
  bp_status (*network_event)(bp_context*, const bp_network_args*, bp_error*);
  /* Makes what is kept for a network, from when it is placed until it is unloaded. Null: nothing. [any thread] */
  bp_status (*make_model)(bp_instance*, const bp_scope_args*, bp_model**, bp_error*);
  void (*free_model)(bp_model*); /* [one at a time] */

  /* Says whether workloads can run this layer, and what it costs. Constants come without data.
     UNSUPPORTED: no, with the reason; all other failures are faults. [any thread] */
  bp_status (*supports)(bp_instance*, const bp_layer_args*, bp_support*, bp_error*);
  /* Infers the outputs of a custom layer: adds one TENSOR_INFO for each. Pure; needs no context and
     no device; is asked again when more is known. Open extents and unknown ranks may come and be
     answered; constants has the values of slots with BP_SLOT_VALUE where they are known.
     INVALID_ARGUMENT: such a layer cannot be. Null: declares no operators. [any thread] */
  bp_status (*infer)(bp_instance*, const bp_layer_args*, bp_sink*, bp_error*);
  /* Compiles a sub-graph whose layers are all this backend's, by host->add_layer and answer.
     A failure, or an answer that does not cover it, leaves it as it was. CANCELLED.
     Null: all untouched. [any thread] */
  bp_status (*optimize)(bp_instance*, const bp_optimize_args*, bp_error*);
  void (*free_compiled)(bp_compiled*); /* null: with optimize and load. [one at a time] */
  /* Writes a compiled sub-graph as bytes. Null: nothing can be saved. [any thread] */
  bp_status (*save)(const bp_compiled*, const bp_artifact_args*, bp_sink*, bp_error*);
  /* Reads what save wrote; checks it again. UNSUPPORTED: does not fit here; UNAVAILABLE for a target.
     Null: with save. [any thread] */
  bp_status (*load)(bp_instance*, const bp_artifact_args*, bp_compiled**, bp_error*);
  /* Describes what compiled parts depend on, and says whether those of another description fit.
     Needs no model and no context. Null: no artefact fits elsewhere. [any thread] */
  bp_status (*check)(bp_instance*, const bp_check_args*, bp_fit*, bp_error*);

  /* Makes what builds the workloads of a network. The host frees it when loading ends. [any thread] */
  bp_status (*make_builder)(bp_instance*, const bp_scope_args*, bp_builder**, bp_error*);
  void (*free_builder)(bp_builder*); /* [one at a time] */
  /* Makes the workload of a layer that supports said yes to, of a Copy layer as the kind promises, or
     of a compiled one. Data of constants stays as long as the workload. [one at a time] */
  bp_status (*make_workload)(bp_builder*, const bp_layer_args*, bp_workload**, bp_error*);
  void (*free_workload)(bp_workload*); /* [one at a time] */
  /* Ends building, after all workloads; gives what they share when they run. [one at a time] */
  bp_status (*make_loaded)(bp_builder*, const bp_scope_args*, bp_loaded**, bp_error*);
  void (*free_loaded)(bp_loaded*); /* [one at a time] */
  /* Says what memory a loaded network takes. Null: nothing is stated. [any thread] */
  bp_status (*memory)(const bp_loaded*, const bp_scope_args*, bp_memory_report*, bp_error*);
  /* Makes what one run at a time needs, sized for all workloads. Null: nothing. [any thread] */
  bp_status (*make_state)(const bp_loaded*, const bp_state_args*, bp_state**, bp_error*);
  void (*free_state)(bp_state*); /* [one at a time] */
  /* Computes the outputs from the inputs. Several runs at once, each with tensors and a state of its
     own. CANCELLED when the run is to end. INVALID_ARGUMENT, with the reason, for values of the inputs
     that the layer cannot have, such as an index outside of its axis: the outputs are undefined, and
     the backend is not to blame. [any thread] */
  bp_status (*run)(const bp_workload*, const bp_run_args*, bp_error*);
  /* Waits for an opaque fence, or says how the work of a fence with a token ended. TIMEOUT (a timeout
     of 0 only looks); what the work failed with. Null: gives no opaque fences or tokens. [any thread] */
  bp_status (*wait)(const bp_loaded*, const bp_wait_args*, bp_error*);

  /* Tensor memory. All null: no kinds of its own; requirements to free_handle go together. */
  /* Bytes and alignment of a tensor beside a layer; the host takes the largest answer. [any thread] */
  bp_status (*requirements)(bp_kind*, const bp_handle_args*, bp_requirements*, bp_error*);
  /* Allocates a block for the tensors of one state: sets data, num_bytes, source, file and token;
     free_block gets these back. Null: with allocate_source 0. [any thread] */
  bp_status (*allocate)(bp_kind*, const bp_requirements*, bp_view*, bp_error*);
  void (*free_block)(bp_kind*, const bp_view*); /* null: with allocate. [any thread] */
  /* Makes a tensor that is not bound yet. UNSUPPORTED: no such part; the host copies. [any thread] */
  bp_status (*make_handle)(bp_kind*, const bp_handle_args*, bp_handle**, bp_error*);
  /* Puts a tensor into memory. On failure it lies where it lay. [one at a time] */
  bp_status (*bind)(bp_handle*, const bp_bind_args*, bp_error*);
  /* Describes the memory: source 0 as it is, else exported as that source. Stays until bind or
     free_handle. An opaque one has no dims. UNSUPPORTED: not exported so. [one at a time] */
  bp_status (*get_view)(bp_handle*, const bp_view_args*, bp_view*, bp_error*);
  /* Makes a tensor addressable by the CPU until unmap. Null: no kind states MAP. [one at a time] */
  bp_status (*map)(bp_handle*, const bp_view_args*, bp_view*, bp_error*);
  bp_status (*unmap)(bp_handle*, const bp_view_args*, bp_error*); /* null: with map. [one at a time] */
  void (*free_handle)(bp_handle*); /* [one at a time] */

  /* Makes what measures a runtime. Null: nothing is measured. [any thread] */
  bp_status (*make_profiler)(bp_context*, const bp_profiler_args*, bp_profiler**, bp_error*);
  /* Makes exactly these counters active, and the timeline on or off. NOT_FOUND: unknown counter;
     nothing changes. Null: with make_profiler. [one at a time] */
  bp_status (*activate)(bp_profiler*, const bp_activate_args*, bp_error*);
  void (*free_profiler)(bp_profiler*); /* null: with make_profiler. [one at a time] */

  /* Compiles the sub-graph of a compiled one for other extents, with equal results; takes much less
     time than optimize. UNSUPPORTED: the sub-graph is offered anew. Null: always. [any thread] */
  bp_status (*resize)(const bp_compiled*, const bp_resize_args*, bp_compiled**, bp_error*);
  /* Adds an IN_PLACE for each output of a compiled sub-graph that may lie exactly where an input
     lies, when nobody reads that input after the workload; results are then the same as with memory
     of their own. Both have one shape and data type, and lie dense in memory of the CPU. Each input
     and each output is in one pair at most. Null: none. [any thread] */
  bp_status (*in_place)(const bp_compiled*, const bp_scope_args*, bp_sink*, bp_error*);
} bp_backend;

/* ---- The three functions that a backend exports ---------------------------------------------- */
/* BACKPLANE_STATIC_BACKEND is the backend's name when it is linked into a program; the linker then
   sees the three with that prefix. */
#if defined(BACKPLANE_STATIC_BACKEND)
#define BP_TEXT_OF(text) #text
#define BP_TEXT(text) BP_TEXT_OF(text)
#define BP_ENTRY_POINT(name) __asm__(BP_TEXT(BACKPLANE_STATIC_BACKEND) "_" name)
#else
#define BP_ENTRY_POINT(name) __attribute__((visibility("default")))
#endif

/* The id: 1 to 64 printable ASCII characters without spaces, not "Unknown". Static. [any thread] */
const char* GetBackendId(void) BP_ENTRY_POINT("GetBackendId");
/* The least version of this API that the backend needs: BP_API_MAJOR, BP_NEEDS_MINOR. [any thread] */
void GetVersion(uint32_t* major, uint32_t* minor) BP_ENTRY_POINT("GetVersion");
/* The table, a const bp_backend*; static. Null is refused. [any thread] */
void* BackendFactory(void) BP_ENTRY_POINT("BackendFactory");

/* Writes the three for a static table, once, at file scope of a source file in C. */
#define BP_BACKEND(table)                               \
  const char* GetBackendId(void) { return (table).id; } \
  void GetVersion(uint32_t* major, uint32_t* minor) {   \
    *major = BP_API_MAJOR;                              \
    *minor = BP_NEEDS_MINOR;                            \
  }                                                     \
  void* BackendFactory(void) { return (void*)&(table); } \
  typedef int bp_has_entry_points

#ifdef __cplusplus
}
#endif
#endif
