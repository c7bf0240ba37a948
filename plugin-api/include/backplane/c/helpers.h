/* Helpers that most backends in C need beside the table. Compiled into the backend; no part of the
   API. */
#ifndef BACKPLANE_C_HELPERS_H
#define BACKPLANE_C_HELPERS_H
#include <backplane/c/backend.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Keeps a formatted text for a failure and returns its status; what is longer than 255 bytes is cut.
   [any thread] */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static inline bp_status bp_failf(const bp_host* host, bp_error* error, bp_status status,
                                 const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return bp_fail(host, error, status, text);
}

/* The number of elements; 1 for rank 0. */
static inline uint64_t bp_count_elements(uint32_t rank, const int64_t* dims) {
  uint64_t count = 1;
  for (uint32_t axis = 0; axis < rank; ++axis) count *= (uint64_t)dims[axis];
  return count;
}

/* Whether two lists of extents are equal. */
static inline int bp_has_dims(uint32_t rank, const int64_t* dims, uint32_t other_rank,
                              const int64_t* other) {
  return rank == other_rank && (rank == 0 || memcmp(dims, other, rank * sizeof *dims) == 0);
}

/* The first element of a tensor that lies dense in memory of the CPU, as bytes per element say; else
   null. Strides along axes of one element say nothing. */
static inline void* bp_get_dense(const bp_tensor* tensor, size_t bytes_per_element) {
  const bp_view* view = tensor->view;
  int64_t stride = (int64_t)bytes_per_element;
  if (view == NULL) return NULL;
  for (uint32_t axis = view->rank; view->strides != NULL && axis-- > 0; stride *= view->dims[axis])
    if (view->dims[axis] != 1 && view->strides[axis] != stride) return NULL;
  return view->data;
}

/* The value of this name among options or attributes; null: it is not stated. */
static inline const bp_value* bp_find_value(const bp_named_value* values, uint32_t num_values,
                                            const char* name) {
  for (uint32_t i = 0; i < num_values; ++i)
    if (strcmp(values[i].name, name) == 0) return &values[i].value;
  return NULL;
}

/* One bool or int, which the host has checked; `initial` where it is not stated. */
static inline int64_t bp_read_int(const bp_value* value, int64_t initial) {
  return value != NULL ? *(const int64_t*)value->data : initial;
}

/* One float, likewise. */
static inline double bp_read_float(const bp_value* value, double initial) {
  return value != NULL ? *(const double*)value->data : initial;
}

#endif
