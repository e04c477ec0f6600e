//===- CSVTables.cpp - finding Nsight's tables in a file ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both tools write to standard output, so their tables may come after lines of
// their own and of the program that was profiled, and one file may hold several
// reports. A table is known by its header.
//
//===----------------------------------------------------------------------===//

#include "CSVTables.h"
#include "Readers.h"

using namespace llvm;

namespace roofline::profile {

static std::unique_ptr<CSVTable> tableOf(ArrayRef<std::string> fields,
                                         Profile &profile) {
  constexpr size_t fewest = 4;
  if (fields.size() < fewest)
    return nullptr;
  CSVHeader header(fields);
  if (auto table = ncuTable(header, fields, profile)) {
    profile.format = Format::Ncu;
    return table;
  }
  if (auto table = nsysTable(header, profile)) {
    profile.format = Format::Nsys;
    return table;
  }
  return nullptr;
}

/// Goes to the first line that is a header. Line by line, as a quote in what
/// stands before it need not be closed.
static std::unique_ptr<CSVTable> firstTable(StringRef &text, Profile &profile) {
  std::vector<std::string> fields;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (CSVReader(line).next(fields))
      if (auto table = tableOf(fields, profile))
        return table;
  }
  return nullptr;
}

/// Only a row that begins like one is looked at as a header.
static bool mayBeHeader(ArrayRef<std::string> fields) {
  StringRef first = StringRef(fields.front()).trim();
  return first == "ID" || first.starts_with("Time") ||
         first.starts_with("Start") || first.starts_with("Total");
}

Error readCSV(StringRef text, Profile &profile) {
  std::unique_ptr<CSVTable> table = firstTable(text, profile);
  if (!table)
    return createStringError(
        "of no known format: neither JSON nor a table of Nsight Compute "
        "(--csv) or of nsys stats (--format csv; reports cuda_gpu_trace, "
        "cuda_api_trace, cuda_gpu_kern_sum, cuda_gpu_mem_time_sum, "
        "cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_sum)");
  CSVReader reader(text);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    if (mayBeHeader(fields))
      if (std::unique_ptr<CSVTable> other = tableOf(fields, profile)) {
        table->finish();
        table = std::move(other);
        continue;
      }
    table->row(fields);
  }
  table->finish();
  if (reader.isUnclosed())
    profile.warnings.push_back(
        "the file ends inside a quoted field: its last row may be cut off");
  if (profile.events.empty() && profile.measurements.empty() &&
      profile.launches.empty())
    return createStringError("a table without rows");
  return Error::success();
}

} // namespace roofline::profile
