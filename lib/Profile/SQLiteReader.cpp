//===- SQLiteReader.cpp - an Nsight Systems database ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `nsys export --type sqlite`. Tables are there when something of their kind
// was recorded, and columns came over the years, so both are asked for first.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "llvm/ADT/ScopeExit.h"

#ifdef ROOFLINE_WITH_SQLITE
#include <sqlite3.h>
#endif

using namespace llvm;

namespace roofline::profile {

#ifndef ROOFLINE_WITH_SQLITE

Error readSQLite(StringRef, Profile &) {
  return createStringError(
      "an SQLite database, which this build doesn't read; export CSV: nsys "
      "stats --report cuda_gpu_trace,cuda_api_trace --format csv FILE");
}

#else

namespace {

class Database {
public:
  Database(sqlite3 *handle, Profile &profile)
      : handle(handle), profile(profile) {}
  Error read();

private:
  bool has(const std::string &table, const std::string &column) const;
  std::string columnOr(const std::string &table, const std::string &column,
                       const std::string &other) const {
    return has(table, column) ? table + "." + column : other;
  }
  /// Calls `row` for each row of a query.
  bool each(const std::string &query,
            function_ref<void(sqlite3_stmt *row)> row);
  bool readDeviceWork(const std::string &table, Category category);
  bool readCalls();
  StringRef text(sqlite3_stmt *row, int column) {
    auto *text = sqlite3_column_text(row, column);
    return text ? profile.keep(reinterpret_cast<const char *>(text))
                : StringRef();
  }

  sqlite3 *handle;
  Profile &profile;
};

} // namespace

bool Database::each(const std::string &query,
                    function_ref<void(sqlite3_stmt *)> row) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(handle, query.c_str(), -1, &statement, nullptr) !=
      SQLITE_OK)
    return false;
  int status;
  while ((status = sqlite3_step(statement)) == SQLITE_ROW)
    row(statement);
  sqlite3_finalize(statement);
  return status == SQLITE_DONE;
}

bool Database::has(const std::string &table, const std::string &column) const {
  return sqlite3_table_column_metadata(handle, nullptr, table.c_str(),
                                       column.c_str(), nullptr, nullptr,
                                       nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Correlations are counted process by process.
static std::optional<int64_t> correlation(sqlite3_stmt *row, int id,
                                          int globalId) {
  if (sqlite3_column_type(row, id) == SQLITE_NULL)
    return std::nullopt;
  // A global id holds the process in bits 24 to 47.
  constexpr int64_t mask = 0xffffff;
  int64_t process = (sqlite3_column_int64(row, globalId) >> 24) & mask;
  return (process << 32) | (sqlite3_column_int64(row, id) & 0xffffffff);
}

/// From the first two columns, start and end.
static bool setSpan(sqlite3_stmt *row, Event &event) {
  event.start = sqlite3_column_int64(row, 0);
  int64_t end = sqlite3_column_int64(row, 1);
  if (!isSpan(event.start, 0) || !isSpan(end, 0))
    return false;
  event.duration = end - event.start;
  return isSpan(event.start, event.duration);
}

/// ENUM_CUDA_MEMCPY_OPER.
static StringRef copyKind(int64_t kind) {
  switch (kind) {
  case 1:
  case 11:
    return "HtoD";
  case 2:
  case 12:
    return "DtoH";
  case 3:
    return "HtoA";
  case 4:
    return "AtoH";
  case 5:
    return "AtoA";
  case 6:
    return "AtoD";
  case 7:
    return "DtoA";
  case 8:
  case 13:
    return "DtoD";
  case 9:
    return "HtoH";
  case 10:
    return "PtoP";
  default:
    return "";
  }
}

bool Database::readDeviceWork(const std::string &table, Category category) {
  if (!has(table, "start"))
    return true;
  bool isKernel = category == Category::Kernel;
  std::string name = "''", names;
  if (isKernel && has("StringIds", "value")) {
    name = "StringIds.value";
    names = " LEFT JOIN StringIds ON StringIds.id = " +
            columnOr(table, "demangledName", table + ".shortName");
  }
  std::string query = "SELECT " + table + ".start, " + table + ".end, " +
                      columnOr(table, "deviceId", "0") + ", " +
                      columnOr(table, "streamId", "0") + ", " +
                      columnOr(table, "correlationId", "NULL") + ", " +
                      columnOr(table, "globalPid", "0") + ", " +
                      columnOr(table, "bytes", "NULL") + ", " +
                      columnOr(table, "copyKind", "0") + ", " + name +
                      " FROM " + table + names;
  return each(query, [&](sqlite3_stmt *row) {
    Event event;
    event.category = category;
    if (!setSpan(row, event))
      return;
    event.device = text(row, 2);
    event.stream = text(row, 3);
    event.correlation = correlation(row, 4, 5);
    if (sqlite3_column_type(row, 6) != SQLITE_NULL)
      event.bytes = sqlite3_column_int64(row, 6);
    if (category == Category::Memcpy)
      event.direction = copyKind(sqlite3_column_int64(row, 7));
    event.name = isKernel ? text(row, 8)
                 : category == Category::Memset
                     ? StringRef("Memset")
                     : profile.keep(("Memcpy " + event.direction).str());
    profile.events.push_back(event);
  });
}

bool Database::readCalls() {
  const std::string table = "CUPTI_ACTIVITY_KIND_RUNTIME";
  if (!has(table, "start"))
    return true;
  std::string query =
      "SELECT start, end, " + columnOr(table, "correlationId", "NULL") + ", " +
      columnOr(table, "globalTid", "0") + ", StringIds.value FROM " + table +
      " LEFT JOIN StringIds ON StringIds.id = nameId";
  return each(query, [&](sqlite3_stmt *row) {
    Event event;
    event.category = Category::Call;
    if (!setSpan(row, event))
      return;
    event.correlation = correlation(row, 2, 3);
    event.thread = text(row, 3);
    event.name = text(row, 4);
    profile.events.push_back(event);
  });
}

Error Database::read() {
  bool isNsys = has("StringIds", "value");
  bool fine = readDeviceWork("CUPTI_ACTIVITY_KIND_KERNEL", Category::Kernel) &&
              readDeviceWork("CUPTI_ACTIVITY_KIND_MEMCPY", Category::Memcpy) &&
              readDeviceWork("CUPTI_ACTIVITY_KIND_MEMSET", Category::Memset) &&
              readCalls();
  if (!fine)
    return createStringError(std::string("a damaged or foreign database: ") +
                             sqlite3_errmsg(handle));
  if (has("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start"))
    profile.warnings.push_back(
        "CUDA graphs were recorded as a whole, without their kernels: record "
        "with --cuda-graph-trace=node");
  if (profile.events.empty())
    return createStringError(
        isNsys ? "an Nsight Systems database without CUDA activity"
               : "an SQLite database, but none of nsys export");
  return Error::success();
}

Error readSQLite(StringRef bytes, Profile &profile) {
  sqlite3 *handle = nullptr;
  scope_exit close([&] { sqlite3_close(handle); });
  // In memory: the file may have been compressed. It is read only.
  auto *data =
      reinterpret_cast<unsigned char *>(const_cast<char *>(bytes.data()));
  if (sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nullptr) !=
          SQLITE_OK ||
      sqlite3_deserialize(handle, "main", data, bytes.size(), bytes.size(),
                          SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    return createStringError(std::string("SQLite can't open it: ") +
                             sqlite3_errmsg(handle));
  // A file from elsewhere may hold a schema that was made to do harm.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  profile.format = Format::Nsys;
  return Database(handle, profile).read();
}

#endif

} // namespace roofline::profile
