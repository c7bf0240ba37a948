#include "pointwise/statements.hpp"

#include "plan/layer.hpp"
#include "pointwise/expression.hpp"

namespace backplane {
namespace opencl {
namespace {

std::string Define(const std::string& type, const std::string& result, const std::string& value) {
  return Text("const ", type, " ", result, " = ", value, ";\n");
}

// Integers wrap around, which signed ones of C do not.
std::string Wrap(const std::string& type, const std::string& a, const char* sign,
                 const std::string& b) {
  if (type != "long") return Text(a, sign, b);
  return Text("(long)((ulong)(", a, ")", sign, "(ulong)(", b, "))");
}

const char* GetBuiltIn(UnaryOperation operation) {
  switch (operation) {
#define OPENCL_UNARY(name, function) \
  case UnaryOperation::k##name:      \
    return function;
    OPENCL_UNARY(Sqrt, "sqrt")
    OPENCL_UNARY(Reciprocal, "1.0f / ")
    OPENCL_UNARY(Exp, "exp")
    OPENCL_UNARY(Log, "log")
    OPENCL_UNARY(Sin, "sin")
    OPENCL_UNARY(Cos, "cos")
    OPENCL_UNARY(Tan, "tan")
    OPENCL_UNARY(Asin, "asin")
    OPENCL_UNARY(Acos, "acos")
    OPENCL_UNARY(Atan, "atan")
    OPENCL_UNARY(Sinh, "sinh")
    OPENCL_UNARY(Cosh, "cosh")
    OPENCL_UNARY(Asinh, "asinh")
    OPENCL_UNARY(Acosh, "acosh")
    OPENCL_UNARY(Atanh, "atanh")
    OPENCL_UNARY(Erf, "GetErf")
    OPENCL_UNARY(Ceil, "ceil")
    OPENCL_UNARY(Floor, "floor")
    OPENCL_UNARY(Round, "rint")
#undef OPENCL_UNARY
    default:
      return "";
  }
}

// Rounded towards zero; divided by zero 0, and the least integer divided by -1 itself.
std::string Divide(const std::string& type, const std::string& a, const std::string& b) {
  if (type == "float") return Text(a, " / ", b);
  const std::string quotient = Text(b, " == 0 ? 0 : ", a, " / ", b);
  if (type == "ulong") return quotient;
  return Text(b, " == -1 ? ", Wrap(type, "0", " - ", a), " : ", quotient);
}

std::string Remainder(const std::string& type, const std::string& a, const std::string& b) {
  if (type == "float") return Text("fmod(", a, ", ", b, ")");
  const std::string rest = Text(b, " == 0 ? 0 : ", a, " % ", b);
  return type == "ulong" ? rest : Text(b, " == -1 ? 0 : ", rest);
}

// With the sign of the divisor.
std::string WriteModulo(const std::string& type, const std::string& a, const std::string& b,
                        const std::string& result) {
  const std::string rest = result + "_rest";
  return Define(type, rest, Remainder(type, a, b)) +
         Define(type, result,
                Text(rest, " != 0 && (", rest, " < 0) != (", b, " < 0) ? ",
                     Wrap(type, rest, " + ", b), " : ", rest));
}

// Integers raised to a negative one are rounded towards zero.
std::string WriteIntegerPower(const std::string& type, const std::string& a, const std::string& b,
                              const std::string& result) {
  const std::string base = result + "_base";
  const std::string exponent = result + "_exponent";
  const std::string power = result + "_power";
  std::string text = Text("ulong ", base, " = (ulong)", a, ";\nulong ", exponent, " = (ulong)", b,
                          ";\nulong ", power, " = 1;\n");
  if (type == "long") {
    text += Text("if (", b, " < 0) {\n", exponent, " = ", exponent, " % 2;\nif (", a, " != 1 && ",
                 a, " != -1) ", power, " = 0;\n}\n");
  }
  text += Text("for (; ", exponent, " != 0; ", exponent, " /= 2) {\nif (", exponent, " % 2 != 0) ",
               power, " *= ", base, ";\n", base, " *= ", base, ";\n}\n");
  return text + Define(type, result, Text("(", type, ")", power));
}

// NaN in either operand gives NaN.
std::string Choose(const std::string& a, const char* comparison, const std::string& b) {
  return Text(a, comparison, b, " || ", a, " != ", a, " ? ", a, " : ", b);
}

const char* GetConversion(DataType to) {
  switch (to) {
    case DataType::kInt8:
      return "char";
    case DataType::kUInt8:
      return "uchar";
    case DataType::kInt16:
      return "short";
    case DataType::kUInt16:
      return "ushort";
    case DataType::kInt32:
      return "int";
    case DataType::kUInt32:
      return "uint";
    case DataType::kInt64:
      return "long";
    default:
      return "ulong";
  }
}

}  // namespace

std::string WriteUnary(UnaryOperation operation, const std::string& type, const std::string& x,
                       const std::string& result) {
  const bool is_float = type == "float";
  switch (operation) {
    case UnaryOperation::kAbs:
      if (is_float) return Define(type, result, Text("fabs(", x, ")"));
      return Define(type, result, Text(x, " < 0 ? ", Wrap(type, "0", " - ", x), " : ", x));
    case UnaryOperation::kNegate:
      return Define(type, result, is_float ? "-" + x : Wrap(type, "0", " - ", x));
    case UnaryOperation::kSign:
      return Define(type, result, Text(x, " > 0 ? 1 : ", x, " < 0 ? -1 : ", x));
    case UnaryOperation::kBitwiseNot:
      return Define(type, result, "~" + x);
    case UnaryOperation::kLogicalNot:
      return Define("ulong", result, x + " == 0");
    default:
      return Define(type, result, Text(GetBuiltIn(operation), "(", x, ")"));
  }
}

std::string WriteBinary(BinaryOperation operation, const std::string& type, const std::string& a,
                        const std::string& b, const std::string& result) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return Define(type, result, Wrap(type, a, " + ", b));
    case BinaryOperation::kSub:
      return Define(type, result, Wrap(type, a, " - ", b));
    case BinaryOperation::kMul:
      return Define(type, result, Wrap(type, a, " * ", b));
    case BinaryOperation::kDiv:
      return Define(type, result, Divide(type, a, b));
    case BinaryOperation::kMaximum:
      return Define(type, result, Choose(a, " > ", b));
    case BinaryOperation::kMinimum:
      return Define(type, result, Choose(a, " < ", b));
    case BinaryOperation::kPower:
      if (type == "float") return Define(type, result, Text("pow(", a, ", ", b, ")"));
      return WriteIntegerPower(type, a, b, result);
    case BinaryOperation::kModulo:
      return WriteModulo(type, a, b, result);
    case BinaryOperation::kRemainder:
      return Define(type, result, Remainder(type, a, b));
    default:
      const std::string difference = result + "_difference";
      return Define(type, difference, Wrap(type, a, " - ", b)) +
             Define(type, result, Wrap(type, difference, " * ", difference));
  }
}

std::string WriteBitwise(BitwiseOperation operation, const std::string& type, const std::string& a,
                         const std::string& b, const std::string& result) {
  const std::string places = Text("(ulong)", b, " < 64 ? ");
  switch (operation) {
    case BitwiseOperation::kAnd:
      return Define(type, result, Text(a, " & ", b));
    case BitwiseOperation::kOr:
      return Define(type, result, Text(a, " | ", b));
    case BitwiseOperation::kXor:
      return Define(type, result, Text(a, " ^ ", b));
    case BitwiseOperation::kShiftLeft:
      return Define(type, result,
                    Text(places, "(", type, ")((ulong)", a, " << (ulong)", b, ") : 0"));
    default:
      return Define(type, result,
                    Text(places, a, " >> (ulong)", b, " : ", a, " < 0 ? (", type, ")-1 : 0"));
  }
}

std::string WriteComparison(ComparisonOperation operation, const std::string& a,
                            const std::string& b, const std::string& result) {
  static const char* const kSigns[] = {" == ", " != ", " > ", " >= ", " < ", " <= "};
  const auto number = static_cast<std::uint32_t>(operation) - 1;
  return Define("ulong", result, Text("(", a, kSigns[number], b, ") ? 1 : 0"));
}

std::string WriteLogical(LogicalOperation operation, const std::string& a, const std::string& b,
                         const std::string& result) {
  static const char* const kSigns[] = {" & ", " | ", " ^ "};
  return Define("ulong", result, Text(a, kSigns[static_cast<std::uint32_t>(operation) - 1], b));
}

// A float16 needs no rounding of its own: integers that a float does not hold exactly are beyond
// its range.
std::string WriteCast(DataType from, DataType to, const std::string& x, const std::string& result) {
  const std::string type = GetComputedType(to);
  if (from == to) return Define(type, result, x);
  if (to == DataType::kBool) return Define(type, result, x + " != 0");
  if (type == "float") return Define(type, result, "(float)" + x);
  if (GetComputedType(from) != "float") {
    return Define(type, result, Text("(", type, ")(", GetConversion(to), ")", x));
  }
  return Define(
      type, result,
      Text(x, " != ", x, " ? 0 : (", type, ")convert_", GetConversion(to), "_sat_rtz(", x, ")"));
}

}  // namespace opencl
}  // namespace backplane
