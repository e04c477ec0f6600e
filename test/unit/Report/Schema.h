//===- Schema.h - checks JSON against a JSON Schema -------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TEST_UNIT_REPORT_SCHEMA_H
#define ROOFLINE_TEST_UNIT_REPORT_SCHEMA_H

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace roofline::samples {

/// What is wrong with `value` by `schema`, one line a mistake, each naming the
/// place; empty where it conforms. It knows the keywords that the project's
/// schema uses; any other keyword is a mistake of its own, so that none is
/// silently ignored.
std::vector<std::string> violations(const llvm::json::Value &value,
                                    const llvm::json::Object &schema);

} // namespace roofline::samples

#endif // ROOFLINE_TEST_UNIT_REPORT_SCHEMA_H
