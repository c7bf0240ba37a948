#pragma once

#include <string>

namespace backplane {
namespace opencl {

/// The definitions of the functions that statements of pointwise layers call: GetErf, GetExpm1 of
/// what is not above 0, and GetLog1p of 0 to 1. Drivers have built-in ones that no compiler
/// vectorises; these are sums and products, with an error of a few units in the last place.
std::string WriteFunctions(const std::string& statements);

}  // namespace opencl
}  // namespace backplane
