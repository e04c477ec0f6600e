//===- ReportOptions.h - how a report is asked for --------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_REPORTOPTIONS_H
#define ROOFLINE_TOOLS_COMMON_REPORTOPTIONS_H

#include "Bindings.h"
#include "roofline/Report/Writers.h"
#include "llvm/Support/CommandLine.h"
#include <optional>

namespace roofline {

/// A report, as a command line asks for it.
struct ReportSettings {
  std::string tool; ///< whose messages begin with its name
  std::string input = "-", output = "-";
  ReportFormat format = ReportFormat::Text;
  WriterOptions writer;
  std::vector<std::string> devices; ///< empty: the IR's own, or the default
  Bindings bindings;
  bool allowTF32 = false;
  /// That share a kernel; 0: as many as were measured, else 1.
  unsigned threads = 0;
  std::string entry;
  bool showsImportWarnings = true; ///< on standard error; the report has them

  /// How messages call the input: its path, or "<stdin>".
  std::string displayName() const { return input == "-" ? "<stdin>" : input; }
  /// "rl-opt: message" on standard error.
  void printError(const llvm::Twine &message) const;
};

/// The options that every tool with a report has.
class ReportOptions {
public:
  /// With `hasEntry` a function can be chosen, too.
  explicit ReportOptions(llvm::cl::OptionCategory &category,
                         bool hasEntry = true);

  /// --report-format asks for a report by itself.
  bool isAsked() const { return report || format.getNumOccurrences() > 0; }

  /// The first of those given that only a report heeds; null where none was.
  const llvm::cl::Option *given() const;

  /// Fills in what they say; the writer's width and colours from where
  /// `settings.output` goes.
  llvm::Error fill(ReportSettings &settings) const;

private:
  llvm::cl::opt<bool> report;
  llvm::cl::opt<std::string> format;
  llvm::cl::opt<unsigned> top;
  llvm::cl::opt<std::string> sort, groupBy;
  llvm::cl::opt<bool> allowTF32;
  std::optional<llvm::cl::opt<std::string>> entry;
};

/// LLVM's shared library brings the options of all of its tools. One that we
/// have too can't be registered twice: to be called before ours is.
void dropForeignOption(llvm::StringRef name);

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_REPORTOPTIONS_H
