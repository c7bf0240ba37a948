#pragma once

/// Marks what libbackplane-onnx.so exports.
#define BACKPLANE_ONNX_API __attribute__((visibility("default")))
