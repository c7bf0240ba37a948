#pragma once

/// What kernels of floats share: how elements are stored, and how an epilogue becomes part of a
/// program.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// Begins the programs of such kernels. It defines `storage`, the type of an element in memory, and
/// LOAD(p, i) and STORE(value, p, i), with which a float is read and written.
extern const char* const kElementsSource;

/// Behind it: BIAS_PARAMETERS and BIAS_OF(filter), of nothing without -DHAS_BIAS.
extern const char* const kBiasSource;

/// Of the compiler, for tensors of this type.
std::string GetStorageOptions(DataType data_type);

std::uint32_t GetElementBytes(DataType data_type);

/// Refuses tensors that are not float32 or float16, all of one type, and quantised ones.
void RequireFloats(const Layer& layer, Refusal& refusal);

/// Refuses tensors whose elements an int cannot count.
void RequireIntIndices(const Layer& layer, Refusal& refusal);

/// The tensor as a kernel's argument, counted in its own elements.
BufferArgument ReadInput(const Layer& layer, std::uint32_t input);
BufferArgument WriteOutput(const Layer& layer, std::uint32_t output = 0);

void AppendInts(std::initializer_list<std::int64_t> numbers, std::vector<Argument>& arguments);

/// Defines what a kernel needs to apply the epilogue: FINISH_PARAMETERS behind its last parameter,
/// and Finish(value, at FINISH_ARGUMENTS) around what it stores at element `at` of the output.
/// Stands behind kElementsSource. In the statements an operand is `__global const T*`, with T by
/// its data type; floats are read by LOAD(name, name_begin + i).
std::string MakeEpilogueSource(const Epilogue& epilogue);

/// What goes with FINISH_PARAMETERS.
void AppendEpilogueArguments(const Epilogue& epilogue, std::vector<Argument>& arguments);

}  // namespace opencl
}  // namespace backplane
