//===- LibraryFunctions.cpp - what kernels call of libc and libm ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"
#include <cmath>
#include <cstring>

#ifdef __x86_64__
// The compiler's own, for conversions that no instruction does.
extern "C" void __truncdfhf2();  // NOLINT(bugprone-reserved-identifier)
extern "C" void __truncsfhf2();  // NOLINT(bugprone-reserved-identifier)
extern "C" void __extendhfsf2(); // NOLINT(bugprone-reserved-identifier)
#endif

namespace roofline::runtime {
namespace {

/// The address of one of several functions of a name.
template <typename Result, typename... Operands>
const void *address(Result (*function)(Operands...)) {
  return reinterpret_cast<const void *>(function);
}

} // namespace

// In f32 and f64.
#define ROOFLINE_UNARY(NAME)                                                   \
  {#NAME, address<double, double>(::NAME)},                                    \
      {#NAME "f", address<float, float>(::NAME##f)},
#define ROOFLINE_BINARY(NAME)                                                  \
  {#NAME, address<double, double, double>(::NAME)},                            \
      {#NAME "f", address<float, float, float>(::NAME##f)},

llvm::ArrayRef<LibraryFunction> libraryFunctions() {
  static const LibraryFunction functions[] = {
      // clang-format off
      {"memcpy", address<void *, void *, const void *, size_t>(::memcpy)},
      {"memmove", address<void *, void *, const void *, size_t>(::memmove)},
      {"memset", address<void *, void *, int, size_t>(::memset)},
      {"memcmp", address<int, const void *, const void *, size_t>(::memcmp)},
      ROOFLINE_UNARY(acos) ROOFLINE_UNARY(acosh) ROOFLINE_UNARY(asin)
      ROOFLINE_UNARY(asinh) ROOFLINE_UNARY(atan) ROOFLINE_UNARY(atanh)
      ROOFLINE_UNARY(cbrt) ROOFLINE_UNARY(ceil) ROOFLINE_UNARY(cos)
      ROOFLINE_UNARY(cosh) ROOFLINE_UNARY(erf) ROOFLINE_UNARY(erfc)
      ROOFLINE_UNARY(exp) ROOFLINE_UNARY(exp2) ROOFLINE_UNARY(expm1)
      ROOFLINE_UNARY(floor) ROOFLINE_UNARY(log) ROOFLINE_UNARY(log10)
      ROOFLINE_UNARY(log1p) ROOFLINE_UNARY(log2) ROOFLINE_UNARY(nearbyint)
      ROOFLINE_UNARY(rint) ROOFLINE_UNARY(round) ROOFLINE_UNARY(roundeven)
      ROOFLINE_UNARY(sin) ROOFLINE_UNARY(sinh) ROOFLINE_UNARY(sqrt)
      ROOFLINE_UNARY(tan) ROOFLINE_UNARY(tanh) ROOFLINE_UNARY(trunc)
      ROOFLINE_BINARY(atan2) ROOFLINE_BINARY(fmod) ROOFLINE_BINARY(pow)
      {"fma", address<double, double, double, double>(::fma)},
      {"fmaf", address<float, float, float, float>(::fmaf)},
      {"ldexp", address<double, double, int>(::ldexp)},
      {"ldexpf", address<float, float, int>(::ldexpf)},
      {"sincos", address<void, double, double *, double *>(::sincos)},
      {"sincosf", address<void, float, float *, float *>(::sincosf)},
#ifdef __x86_64__
      {"__truncdfhf2", address<void>(__truncdfhf2)},
      {"__truncsfhf2", address<void>(__truncsfhf2)},
      {"__extendhfsf2", address<void>(__extendhfsf2)},
#endif
      // clang-format on
  };
  return functions;
}

} // namespace roofline::runtime
