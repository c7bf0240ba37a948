#pragma once

/// What element operations compute, one number at a time.

#include "graph/element_op.hpp"

namespace backplane {
namespace cpuacc {

/// Whether Evaluate knows the operation.
bool CanEvaluate(const ElementOp& op);

/// f(x), or f(x, operand). For passes that look at functions, not for results. NaN where it does
/// not know the operation.
double Evaluate(const ElementOp& op, double x, double operand);

}  // namespace cpuacc
}  // namespace backplane
