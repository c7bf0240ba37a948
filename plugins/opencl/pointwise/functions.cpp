#include "pointwise/functions.hpp"

namespace backplane {
namespace opencl {
namespace {

struct Function {
  const char* name;
  const char* definition;
};

constexpr Function kFunctions[] = {
    // A rational approximation of least error between -4 and 4; beyond, a float is 1.
    {"GetErf(", R"(
float GetErf(float x) {
  const float s = x * x;
  float p = -2.72614225801306e-10f;
  p = p * s + 2.77068142495902e-08f;
  p = p * s - 2.10102402082508e-06f;
  p = p * s - 5.69250639462346e-05f;
  p = p * s - 7.34990630326855e-04f;
  p = p * s - 2.95459980854025e-03f;
  p = p * s - 1.60960333262415e-02f;
  float q = -1.45660718464996e-05f;
  q = q * s - 2.13374055278905e-04f;
  q = q * s - 1.68282697438203e-03f;
  q = q * s - 7.37332916720468e-03f;
  q = q * s - 1.42647390514189e-02f;
  return fabs(x) >= 4.0f ? copysign(1.0f, x) : x * p / q;
}
)"},
    {"GetExpm1(", R"(
float GetExpm1(float x) {
  const float t = tanh(0.5f * x);
  return 2.0f * t / (1.0f - t);
}
)"},
    // log((1 + s) / (1 - s)) with s of 0 to 1/3, as a series.
    {"GetLog1p(", R"(
float GetLog1p(float x) {
  const float s = x / (2.0f + x);
  const float z = s * s;
  float p = 1.0f / 17.0f;
  p = p * z + 1.0f / 15.0f;
  p = p * z + 1.0f / 13.0f;
  p = p * z + 1.0f / 11.0f;
  p = p * z + 1.0f / 9.0f;
  p = p * z + 1.0f / 7.0f;
  p = p * z + 1.0f / 5.0f;
  p = p * z + 1.0f / 3.0f;
  return 2.0f * s * (p * z + 1.0f);
}
)"},
};

}  // namespace

std::string WriteFunctions(const std::string& statements) {
  std::string text;
  for (const Function& function : kFunctions) {
    if (statements.find(function.name) != std::string::npos) text += function.definition;
  }
  return text;
}

}  // namespace opencl
}  // namespace backplane
