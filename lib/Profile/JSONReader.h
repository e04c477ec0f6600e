//===- JSONReader.h - JSON read as a stream ---------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces hold millions of small objects. This reader hands them over one by one
// instead of building a tree, and gives numbers as their text, so that the
// nanoseconds of a time stamp in microseconds since 1970 aren't rounded away.
// It is lenient where tools are: NaN and Infinity as values, control characters
// in strings, an array that the file's end closes.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_PROFILE_JSONREADER_H
#define ROOFLINE_LIB_PROFILE_JSONREADER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace roofline::profile {

/// A value as it stands in the text.
struct JSONToken {
  enum Kind : uint8_t { String, Number, Word, Object, Array };
  Kind kind = Word;
  llvm::StringRef text; ///< of a string what is between the quotes, undecoded

  /// The string without its escapes, or the text of anything else.
  std::string decoded() const;
  std::optional<int64_t> integer() const; ///< of a string that holds one, too
  std::optional<double> number() const;
};

class JSONReader {
public:
  explicit JSONReader(llvm::StringRef text) : text(text) {}

  /// Calls `member` for each member of the object that comes next, which must
  /// take the member's value; false stops. False after an error.
  bool object(llvm::function_ref<bool(llvm::StringRef key)> member);
  /// The same for an array.
  bool array(llvm::function_ref<bool()> element);
  /// Takes the next value, of whatever kind.
  bool value(JSONToken &token);
  bool skip() {
    JSONToken token;
    return value(token);
  }

  /// What the next value begins with; 0 at the end.
  char peek();
  bool atEnd() { return peek() == 0; }
  /// Whether the text ended inside an array, between two of its elements.
  bool wasCutOff() const { return cutOff; }
  /// Stops reading: "line 3: expected …".
  bool fail(const char *cause);
  const std::string &message() const { return error; }

private:
  bool string(llvm::StringRef &content);
  bool container(JSONToken &token);
  bool expect(char c, const char *cause);

  llvm::StringRef text;
  size_t at = 0;
  bool cutOff = false;
  std::string error;
};

/// "1419247332972.313" microseconds as whole nanoseconds, without rounding in
/// between; nothing where it isn't a number or too large.
std::optional<int64_t> microsecondsToNanoseconds(llvm::StringRef text);

} // namespace roofline::profile

#endif // ROOFLINE_LIB_PROFILE_JSONREADER_H
