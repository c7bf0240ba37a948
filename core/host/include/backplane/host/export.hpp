#pragma once

/// Marks what libbackplane-host.so exports.
#define BACKPLANE_HOST_API __attribute__((visibility("default")))
