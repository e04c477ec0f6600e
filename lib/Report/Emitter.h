//===- Emitter.h - JSON, fast and exact -------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report's integers have any size, and a graph of thousands of ops is to be
// written in a millisecond or two: llvm::json does neither.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_EMITTER_H
#define ROOFLINE_LIB_REPORT_EMITTER_H

#include "Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

namespace roofline::report {

/// Appends JSON tokens to a buffer that is handed on when it is full.
class Emitter {
public:
  explicit Emitter(llvm::raw_ostream &os)
      : os(os), buffer(new char[capacity]), next(buffer.get()) {}
  ~Emitter() { flush(); }

  void open(char bracket) {
    separate();
    put(bracket);
    needsComma = false;
  }
  void close(char bracket) {
    put(bracket);
    needsComma = true;
  }
  /// The next key or value starts a line of its own.
  void newline(unsigned indent) {
    separate();
    lastNewline(indent);
  }
  /// The bracket that comes next starts a line of its own.
  void lastNewline(unsigned indent) {
    put('\n');
    for (unsigned i = 0; i < indent; ++i)
      put(' ');
  }

  /// A key that is one of ours: no escapes needed.
  Emitter &key(llvm::StringRef name) {
    assert(name.size() < 64 && "a key of ours is short");
    makeRoom(72);
    if (needsComma)
      *next++ = ',';
    *next++ = '"';
    std::memcpy(next, name.data(), name.size());
    next += name.size();
    *next++ = '"';
    *next++ = ':';
    needsComma = false;
    return *this;
  }
  Emitter &foreignKey(llvm::StringRef name) {
    value(name);
    put(':');
    needsComma = false;
    return *this;
  }

  void null() { raw("null"); }
  void value(bool flag) { raw(flag ? "true" : "false"); }
  void value(const char *) = delete; // it would become a bool
  void value(int64_t number) { raw(digits(number)); }
  void value(unsigned number) { value(int64_t(number)); }
  void value(const Int &number) {
    std::optional<int64_t> small = asInt64(number);
    small ? value(*small) : raw(toString(number));
  }
  /// A number that isn't finite is unknown.
  void value(double number) {
    std::isfinite(number) ? raw(digits(number)) : null();
  }
  void value(const std::pair<double, double> &interval) {
    open('[');
    value(interval.first);
    value(interval.second);
    close(']');
  }
  void value(llvm::StringRef text) {
    separate();
    put('"');
    escape(text);
    put('"');
    needsComma = true;
  }
  void value(const std::string &text) { value(llvm::StringRef(text)); }
  template <typename T> void value(const std::optional<T> &maybe) {
    maybe ? value(*maybe) : null();
  }
  /// "" stands for null.
  void textOrNull(llvm::StringRef text) { text.empty() ? null() : value(text); }

private:
  static constexpr size_t capacity = 1 << 16;

  void flush() {
    os.write(buffer.get(), next - buffer.get());
    next = buffer.get();
  }
  void makeRoom(size_t size) {
    if (LLVM_UNLIKELY(size_t(buffer.get() + capacity - next) < size))
      flush();
  }
  void put(char c) {
    makeRoom(1);
    *next++ = c;
  }
  void put(llvm::StringRef text) {
    makeRoom(text.size());
    if (LLVM_UNLIKELY(text.size() > capacity)) {
      os << text;
      return;
    }
    std::memcpy(next, text.data(), text.size());
    next += text.size();
  }
  void separate() {
    if (needsComma)
      put(',');
    needsComma = false;
  }
  void raw(llvm::StringRef token) {
    separate();
    put(token);
    needsComma = true;
  }
  template <typename Number> llvm::StringRef digits(Number number) {
    auto end = std::to_chars(scratch, scratch + sizeof(scratch), number);
    return llvm::StringRef(scratch, end.ptr - scratch);
  }
  void escape(llvm::StringRef text);
  void escapeByte(char c);

  llvm::raw_ostream &os;
  std::unique_ptr<char[]> buffer;
  char *next;
  char scratch[40];
  bool needsComma = false;
};

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_EMITTER_H
