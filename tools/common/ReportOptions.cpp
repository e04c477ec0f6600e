//===- ReportOptions.cpp - how a report is asked for ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace roofline {

void ReportSettings::printError(const Twine &message) const {
  errs() << tool << ": " << message << '\n';
}

ReportOptions::ReportOptions(cl::OptionCategory &category, bool hasEntry)
    : report("roofline-report", cl::cat(category),
             cl::desc("Print the roofline report")),
      format("report-format", cl::init("text"), cl::cat(category),
             cl::value_desc("format"),
             cl::desc("text (default), json, csv, markdown or svg; asks for "
                      "the report by itself")),
      top("top", cl::init(20), cl::cat(category), cl::value_desc("n"),
          cl::desc("Rows shown by text and Markdown reports (0: all; default "
                   "20)")),
      sort("sort", cl::init("time"), cl::cat(category), cl::value_desc("key"),
           cl::desc("time (default), flops, bytes, intensity or order")),
      groupBy("group-by", cl::init("none"), cl::cat(category),
              cl::value_desc("key"),
              cl::desc("none (default), op_type or scope")),
      allowTF32("allow-tf32", cl::cat(category),
                cl::desc("f32 products use the tf32 ceiling")) {
  if (hasEntry)
    entry.emplace(
        "entry", cl::cat(category), cl::value_desc("function"),
        cl::desc("The function to report on (default: the public one)"));
}

const cl::Option *ReportOptions::given() const {
  for (const cl::Option *option : {static_cast<const cl::Option *>(&top),
                                   static_cast<const cl::Option *>(&sort),
                                   static_cast<const cl::Option *>(&groupBy),
                                   static_cast<const cl::Option *>(&allowTF32)})
    if (option->getNumOccurrences())
      return option;
  return entry && entry->getNumOccurrences() ? &*entry : nullptr;
}

/// One of `choices` by name; else says what there is.
template <typename T>
static Error choose(const cl::opt<std::string> &option,
                    ArrayRef<std::pair<StringRef, T>> choices, T &chosen) {
  SmallVector<StringRef> names;
  for (const auto &[name, value] : choices) {
    if (name == option) {
      chosen = value;
      return Error::success();
    }
    names.push_back(name);
  }
  std::vector<std::string> near = nearMatches(option, names);
  return createStringError(
      "--" + option.ArgStr + ": unknown value '" + option + "'" +
      (near.empty() ? "" : "; did you mean " + near.front() + "?") +
      " (one of " + join(names, ", ") + ")");
}

static unsigned terminalWidth() {
  unsigned width = 0;
  if (std::optional<std::string> columns = sys::Process::GetEnv("COLUMNS"))
    if (!StringRef(*columns).getAsInteger(10, width) && width)
      return width;
  return sys::Process::StandardOutColumns();
}

Error ReportOptions::fill(ReportSettings &settings) const {
  settings.allowTF32 = allowTF32;
  settings.entry = entry ? entry->getValue() : "";
  WriterOptions &writer = settings.writer;
  writer.top = top;
  bool toTerminal =
      settings.output == "-" && sys::Process::StandardOutIsDisplayed();
  writer.width = terminalWidth();
  writer.color = toTerminal && sys::Process::StandardOutHasColors() &&
                 !sys::Process::GetEnv("NO_COLOR");
  if (Error error = choose<ReportFormat>(format,
                                         {{"text", ReportFormat::Text},
                                          {"json", ReportFormat::JSON},
                                          {"csv", ReportFormat::CSV},
                                          {"markdown", ReportFormat::Markdown},
                                          {"svg", ReportFormat::SVG}},
                                         settings.format))
    return error;
  if (Error error = choose<SortKey>(sort,
                                    {{"time", SortKey::Time},
                                     {"flops", SortKey::Flops},
                                     {"bytes", SortKey::Bytes},
                                     {"intensity", SortKey::Intensity},
                                     {"order", SortKey::Order}},
                                    writer.sort))
    return error;
  return choose<GroupKey>(groupBy,
                          {{"none", GroupKey::None},
                           {"op_type", GroupKey::OpType},
                           {"scope", GroupKey::Scope}},
                          writer.groupBy);
}

void dropForeignOption(StringRef name) {
  auto &registered = cl::getRegisteredOptions();
  if (auto it = registered.find(name); it != registered.end())
    it->second->removeArgument();
}

} // namespace roofline
