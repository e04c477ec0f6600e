//===- SQLiteReader.cpp - an Nsight Systems database ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

using namespace llvm;

namespace roofline::profile {

Error readSQLite(StringRef, Profile &) {
  return createStringError(
      "an SQLite database, which this build doesn't read; export CSV: nsys "
      "stats --report cuda_gpu_trace,cuda_api_trace --format csv FILE");
}

} // namespace roofline::profile
