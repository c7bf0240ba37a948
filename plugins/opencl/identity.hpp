#pragma once

/// What tells this backend from others that are built of the same sources. A backend uses one
/// device, so that a runtime with two devices has two of them.

namespace backplane {
namespace opencl {

extern const char kId[];

/// Kinds of tensor memory, which are those of one device.
extern const char kDeviceFactoryId[];
extern const char kHostVisibleFactoryId[];

}  // namespace opencl
}  // namespace backplane
