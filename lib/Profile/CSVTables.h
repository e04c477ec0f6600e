//===- CSVTables.h - the tables that Nsight writes --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_CSVTABLES_H
#define ROOFLINE_LIB_PROFILE_CSVTABLES_H

#include "CSV.h"
#include "roofline/Profile/Profile.h"
#include <memory>

namespace roofline::profile {

/// Takes the rows of one table.
class CSVTable {
public:
  virtual ~CSVTable() = default;
  virtual void row(llvm::ArrayRef<std::string> fields) = 0;
  /// After the last row.
  virtual void finish() {}
};

/// The reader of the table that has this header; null where it is none of
/// Nsight Compute's, or of Nsight Systems'.
std::unique_ptr<CSVTable> ncuTable(const CSVHeader &header,
                                   llvm::ArrayRef<std::string> names,
                                   Profile &profile);
std::unique_ptr<CSVTable> nsysTable(const CSVHeader &header, Profile &profile);

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_CSVTABLES_H
