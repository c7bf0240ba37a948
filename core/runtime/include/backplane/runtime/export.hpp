#pragma once

/// Marks what libbackplane.so exports.
#define BACKPLANE_RUNTIME_API __attribute__((visibility("default")))
